import { expect, test } from 'vitest'
import { hash, screens, setScreen } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
const open = (path: string) => walk.visit.page.goto(walk.gateway.origin + path)
const table = (name: string) => walk.visit.page.getByRole('table', { name, exact: true }).locator('tbody tr')
/** The contract that the log of a transaction of a block names. */
const contract = '0x7cb7069ac3f429e199d886f49c31aa997560d464'

test.each(screens)('at %i px, %s, a contract shows events and calls by name', async (...screen) => {
  const { page, faults } = walk.visit
  await setScreen(page, screen)
  const [width] = screen
  await open(`/contract/galley-1/${contract}`)
  await table('Events').nth(3).waitFor()
  const names = await table('Events').locator('.what strong').allTextContents()
  expect(names).toContain('Transfer')
  await table('Internal calls').nth(3).waitFor()
  const calls = await table('Internal calls').locator('.what').allTextContents()
  expect(calls.join()).toMatch(/CALL (transferFrom|balanceOf|safeTransferFrom)/)
  await page
    .getByRole('main')
    .getByRole('link', { name: /^As an account/ })
    .waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(faults).toEqual([])
})

test('amounts of a listed token are in whole units, and call data is folded', async () => {
  const { page, faults } = walk.visit
  await open('/contract/galley-1/0x2b37fd7c6f09a85f45b40512dc6337b51be6a71a')
  const amounts = table('Events').filter({ hasText: 'Transfer' }).locator('.values > span[title]')
  await amounts.nth(3).waitFor()
  for (const amount of await amounts.all()) {
    // Eighteen decimals are in the units of the log alone.
    expect((await amount.getAttribute('title'))?.length).toBeGreaterThan((await amount.textContent())?.length ?? 0)
  }
  await open(`/tx/${hash}`)
  const data = page.getByRole('region', { name: 'Messages' }).getByText('transferFrom · 100 byte')
  await data.click()
  await page
    .getByRole('region', { name: 'Messages' })
    .getByText(/^0x23b872dd/)
    .waitFor()
  expect(faults).toEqual([])
})

test('a contract has its code, creator and first transaction, a token its holders and transfers', async () => {
  const { page, faults } = walk.visit
  const fact = (name: string) =>
    page.locator('.facts > div', { has: page.getByText(name, { exact: true }) }).locator('dd')
  await open('/contract/galley-1/0x7cb7069ac3f429e199d886f49c31aa997560d464')
  await fact('First transaction').getByRole('link').waitFor()
  expect(await fact('Creator').textContent()).toMatch(/^0x[\da-f]{40}/)
  expect(await fact('Code').textContent()).toBe('Bytecode of the EVM')
  const token = '0x2b37fd7c6f09a85f45b40512dc6337b51be6a71a'
  await open(`/contract/galley-1/${token}`)
  await fact('Holders').getByText(/^\d+$/).click()
  await page.waitForURL(/\/asset\/galley-1\//)
  await table('Token transfers').nth(5).waitFor()
  expect(faults).toEqual([])
})

test('a log links to its contract', async () => {
  const { page } = walk.visit
  await open(`/tx/${hash}`)
  const link = page.getByRole('region', { name: 'Logs' }).getByRole('link').first()
  await link.click()
  await page.waitForURL(/\/contract\/galley-1\/0x/)
  await table('Events').first().waitFor()
})

test('a CosmWasm contract shows its events', async () => {
  const { faults } = walk.visit
  const { chain } = await walk.gateway.query(
    '{ chain(chainId: "lantern-1") { transactions(first: 50) { nodes { events(types: ["wasm"]) { attributes { key value } } } } } }',
  )
  const addresses = JSON.stringify(chain).match(/"_contract_address","value":"([^"]+)"/)
  await open(`/contract/lantern-1/${addresses?.[1]}`)
  await table('Events').first().waitFor()
  const names = await table('Events').locator('.what strong').allTextContents()
  expect(new Set(names)).toEqual(new Set(names.filter((name) => /^(wasm|execute|instantiate)/.test(name))))
  await table('Transactions').first().waitFor()
  expect(faults).toEqual([])
})

test('an invalid address is reported', async () => {
  await open('/contract/galley-1/nonsense')
  await walk.visit.shows(/Invalid address/)
})
