import { expect, test } from 'vitest'
import { transfer } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

const rows = () => walk.visit.page.locator('tbody tr')

test('a watched transfer is stored, shown live, and can be removed', async () => {
  const { page } = walk.visit
  await page.goto(`${walk.gateway.origin}/transfer/osmosis-1/${transfer}`)
  await page.getByRole('button', { name: 'Watch this transfer' }).click()
  await page.getByRole('button', { name: 'Stop watching' }).waitFor()
  await page.getByRole('link', { name: 'Transfers' }).click()
  await page.waitForURL(/\/transfers$/)
  await page.reload()
  await rows()
    .filter({ hasText: /pending|Arrived/ })
    .waitFor()
  // The sandbox ends it while the page is open.
  await rows().filter({ hasText: 'Arrived' }).waitFor({ timeout: 40_000 })
  await page.getByRole('button', { name: /Stop watching/ }).click()
  await walk.visit.shows('None yet.')
  await page.reload()
  await walk.visit.shows('None yet.')
  expect(walk.visit.faults).toEqual([])
})

test('a pending hop is "not started", and the destination chain is shown', async () => {
  const { page } = walk.visit
  await page.goto(`${walk.gateway.origin}/transfer/osmosis-1/${transfer.replace(/01$/, 'E1')}`)
  await page.locator('.hops li').filter({ hasText: 'not started' }).waitFor()
  const overview = page.getByRole('region', { name: 'Overview', exact: true })
  await overview.getByRole('link', { name: 'Lantern', exact: true }).waitFor()
  // It fails on its second hop, and the assets stay where that began.
  await overview.getByText('failed', { exact: true }).waitFor({ timeout: 40_000 })
  expect(await page.getByText('not started').count()).toBe(0)
})

test('a transfer is added by chain and hash, and one added in another tab is shown', async () => {
  const { page, context } = walk.visit
  await page.goto(`${walk.gateway.origin}/transfers`)
  await page.getByLabel('Chain', { exact: true }).selectOption('osmosis-1')
  await page.getByLabel('Hash', { exact: true }).fill(transfer)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await rows().nth(0).waitFor()
  const other = await context.newPage()
  await other.goto(`${walk.gateway.origin}/transfer/osmosis-1/${transfer.replace('01', '02')}`)
  await other.getByRole('button', { name: 'Watch this transfer' }).click()
  await rows().nth(1).waitFor()
  expect(await rows().count()).toBe(2)
})

test('a pinned quote is compared with a new one, and the URL has both', async () => {
  const { page } = walk.visit
  await page.goto(
    `${walk.gateway.origin}/quote?from=harbor-1&asset=uinit&to=1&for=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&amount=250`,
  )
  await walk.visit.shows('You receive')
  await page.getByRole('button', { name: 'Pin this quote' }).click()
  await walk.visit.shows('Pinned quote')
  await page.getByLabel('Amount', { exact: true }).fill('500')
  await page.getByLabel('Amount', { exact: true }).press('Enter')
  const difference = page.getByRole('region', { name: 'Compared with the pinned quote' })
  await difference.getByText(/\+[\d.]+ USDC/).waitFor()
  await page.reload()
  await difference.getByText(/\+[\d.]+ USDC/).waitFor()
  expect(await page.locator('.columns .panel').count()).toBe(2)
  await page.getByRole('button', { name: 'Unpin' }).click()
  await difference.waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).not.toContain('vs-')
})

test.each([
  [1_440, 'light'],
  [390, 'dark'],
] as const)(
  'at %i px, %s: a quote shows aligned amounts, the fee, the minimum and the expiry',
  async (width, colorScheme) => {
    const { page, faults } = walk.visit
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.goto(
      `${walk.gateway.origin}/quote?from=harbor-1&asset=uinit&to=1&for=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&amount=250`,
    )
    const table = page.getByRole('table', { name: 'Amounts and fees' })
    const row = (name: string) => table.locator('tr').filter({ hasText: name })
    await row('Minimum received').waitFor()
    const [got, least] = await Promise.all(
      ['You receive', 'Minimum received'].map(async (name) =>
        Number((await row(name).locator('td').nth(1).textContent())?.replaceAll(',', '')),
      ),
    )
    expect(least).toBeCloseTo((got ?? 0) * 0.99, 2)
    await row('Fee: smart relay').filter({ hasText: 'deducted' }).waitFor()
    expect(await page.locator('.facts').textContent()).toMatch(/Expires(in|now)/)
    const edges = await table
      .locator('td:nth-child(2)')
      .evaluateAll((all) => all.map((cell) => Math.round(cell.getBoundingClientRect().right)))
    expect(new Set(edges).size).toBe(1)
    const section = await table.locator('..').evaluate((it) => it.scrollWidth - it.clientWidth)
    expect(section).toBe(0)
    expect(faults).toEqual([])
  },
)
