import { expect, test } from 'vitest'
import { screens, setScreen } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

test.each(screens)('at %i px, %s: cards have the transactions and the price of each chain', async (...screen) => {
  const { page, faults } = walk.visit
  await setScreen(page, screen)
  await page.goto(walk.gateway.origin)
  const cards = page.locator('.card')
  await cards
    .first()
    .getByText(/^1 \S+ = \$[\d.,]+$/)
    .waitFor()
  expect(await cards.count()).toBe(3)
  for (const text of await cards.locator('.known').allTextContents()) expect(text).toMatch(/^(≈ )?[\d,]+ txs/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(screen[0])
  expect(faults).toEqual([])
})

test('sentences of the home page have the names of collections', async () => {
  const { page } = walk.visit
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response })
    const json = await response.json()
    for (const { transactions } of json.data?.chains ?? []) {
      for (const { actions } of transactions?.nodes ?? []) {
        const address = '0x7cb7069ac3f429e199d886f49c31aa997560d464'
        if (actions?.[0])
          actions[0].summaryParts = [{ text: '0x7cb706…60d464', kind: 'COLLECTION', address, account: { address } }]
      }
    }
    await route.fulfill({ response, json })
  })
  await page.goto(walk.gateway.origin)
  await page.locator('.sentence a', { hasText: 'Bored Sailors' }).first().waitFor()
})

test('the newest block of a chain comes to a place that was kept', async () => {
  const { page } = walk.visit
  await page.setViewportSize({ width: 390, height: 900 })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const isOfBlocks = (await response.text()).includes('{"chain":{"blocks":')
    if (isOfBlocks) await released
    await route.fulfill({ response })
  })
  await page.goto(`${walk.gateway.origin}/chain/galley-1`)
  const blocks = page.getByRole('region', { name: 'Blocks', exact: true })
  await blocks.waitFor()
  const height = page.locator('.facts > div', { hasText: /^Height/ })
  expect(await height.textContent()).toBe('Height–')
  const before = (await blocks.boundingBox())?.y
  release()
  await expect.poll(() => height.textContent()).toMatch(/^Height[\d,]+$/)
  expect((await blocks.boundingBox())?.y).toBe(before)
})

test('the page of a chain has live transactions, and names its prices', async () => {
  const { page, shows, faults } = walk.visit
  await page.goto(`${walk.gateway.origin}/chain/galley-1`)
  await shows(/^low [\d.]+ · average [\d.]+ · high [\d.]+ GAL per million units of gas$/)
  await shows(/^1 GAL = \$/)
  const transactions = page.getByRole('region', { name: 'Transactions', exact: true })
  await transactions.locator('.note', { hasText: 'live' }).waitFor()
  const first = transactions.locator('td.wide a').first()
  const before = await first.getAttribute('href')
  await expect.poll(() => first.getAttribute('href'), { timeout: 30_000 }).not.toBe(before)
  expect(await transactions.locator('tbody tr').count()).toBe(20)
  expect(faults).toEqual([])
})
