import { expect, test } from 'vitest'
import { account, screens, setScreen } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
const path = `/address/${account}`
const open = (query = '') => walk.visit.page.goto(walk.gateway.origin + path + query)

// biome-ignore lint/suspicious/noExplicitAny: answers of any document
type Answer = any

/** Changes the balances that the page gets. */
const withBalances = (change: (balances: Answer) => void) =>
  walk.visit.page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const balances = json.data?.account?.balances
    if (balances) change(balances)
    // Chains that only the router reaches would have more.
    const elsewhere = json.data?.account?.elsewhere
    if (elsewhere) Object.assign(elsewhere, { balances: [], usdValue: '0' })
    await route.fulfill({ response, json })
  })

test.each(screens)(
  'at %i px, %s: unlisted assets are folded, opened by keyboard, not in the total',
  async (...screen) => {
    const { page, faults } = walk.visit
    await setScreen(page, screen)
    const [width] = screen
    await withBalances((balances) => {
      // The sandbox has an unlisted one of its own.
      balances.balances = balances.balances.filter(({ asset }: Answer) => asset)
      for (const [index, balance] of balances.balances.entries()) {
        balance.exclusion = index < 2 ? 'UNLISTED' : null
        if (index < 2) balance.usdValue = '1000000.00'
      }
      balances.usdValue = '1234.56'
      balances.excluded = [{ reason: 'UNLISTED', count: 2, usdValue: '2000000.00' }]
    })
    await open()
    // On a phone the activity stands first, and the balances in a tab.
    if (width < 960) await page.getByRole('tab', { name: 'Balances', exact: true }).click()
    const balances = page.getByRole('region', { name: 'Balances', exact: true })
    const summary = balances.getByText('2 unlisted assets', { exact: true })
    await summary.waitFor()
    // The total is the one of the graph: two of a million dollars each are not in it.
    expect(await balances.locator('header .note').textContent()).toBe('$1,234.56')
    const folded = page.getByRole('table', { name: 'Unlisted, hidden and unreadable assets' })
    expect(await folded.isVisible()).toBe(false)
    await summary.focus()
    await page.keyboard.press('Enter')
    await folded.waitFor()
    expect(await folded.locator('tbody tr').count()).toBe(2)
    await balances.getByText('$2,000,000.00 in 2 unlisted assets', { exact: true }).waitFor()
    expect(await folded.getByText('unlisted', { exact: true }).count()).toBe(2)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(faults).toEqual([])
  },
)

test.each(['light', 'dark'] as const)('on a phone, %s: the opened balances have all chains', async (colorScheme) => {
  const { page, faults } = walk.visit
  const asked: string[][] = []
  page.on('request', (request) => {
    const { query, variables } = (request.url().endsWith('/graphql') && request.postDataJSON()) || {}
    // The text of a document that the gateway does not know by its hash follows in a second request.
    if (variables?.chainIds && query === undefined) asked.push(variables.chainIds)
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme })
  await open()
  await page.locator('.paused-list tbody tr').nth(5).waitFor()
  // A reader of the activity asks for none of them.
  expect(asked).toEqual([])
  const headline = await page.locator('.worth').textContent()
  await page.getByRole('tab', { name: 'Balances', exact: true }).click()
  const balances = page.getByRole('region', { name: 'Balances', exact: true })
  await balances.getByRole('table').getByText('Osmosis', { exact: true }).first().waitFor()
  expect(asked).toHaveLength(1)
  // An account has one worth on all tabs. What the router reports is a second number.
  await walk.visit.shows(/^\$[\d,.]+ more on \d other chains?, as the router reports$/)
  expect(await page.locator('.worth').textContent()).toBe(headline)
  expect(await balances.getByRole('button', { name: /^Look on/ }).count()).toBe(0)
  expect(faults).toEqual([])
})

test('a listed asset without a price is one row with its sum, and a token to choose', async () => {
  const { page, faults } = walk.visit
  await open()
  const table = page.getByRole('table', { name: 'Balances', exact: true })
  const all = page.getByRole('button', { name: /^Show all/ })
  await table.waitFor()
  if ((await all.count()) > 0) await all.click()
  const row = table.locator('tr', { has: page.getByRole('rowheader', { name: /^LANT/ }) })
  await row.getByText('on 2 chains').waitFor()
  const amountOf = async (cell: string) =>
    Number((await row.locator(cell).getAttribute('title'))?.replaceAll(/[^\d.]/g, ''))
  const { account: found } = await walk.gateway.query(
    `{ account(address: "${account}") { balances { balances { formattedAmount asset { symbol } } } } }`,
  )
  const amounts: readonly number[] = found.balances.balances.flatMap(({ asset, formattedAmount }: Answer) =>
    asset?.symbol === 'LANT' ? [Number(formattedAmount)] : [],
  )
  expect(amounts).toHaveLength(2)
  // Blocks between the two readings move some of it.
  expect(Math.abs((await amountOf('td.number >> nth=0')) - (amounts[0] ?? 0) - (amounts[1] ?? 0))).toBeLessThan(500)
  await page.getByLabel('Token', { exact: true }).selectOption({ label: 'LANT' })
  await page.waitForURL(/token=/)
  expect(new URL(page.url()).searchParams.get('token')?.split(' ')).toHaveLength(2)
  expect(faults).toEqual([])
})

test('"Show all" opens a long list of balances', async () => {
  const { page } = walk.visit
  await withBalances((balances) => {
    const [first] = balances.balances
    balances.balances = Array.from({ length: 12 }, (_, index) => ({
      ...first,
      ...{ denom: `coin${index}`, asset: { ...first.asset, originDenom: `coin${index}` } },
    }))
  })
  await open()
  const rows = page.getByRole('table', { name: 'Balances', exact: true }).locator('tbody tr')
  await rows.nth(7).waitFor()
  expect(await rows.count()).toBe(8)
  await page.getByRole('button', { name: /^Show all \d+$/ }).click()
  await rows.nth(8).waitFor()
})

test('an asset is one row with its sum, and its chains below it, also those that only the router reaches', async () => {
  const { page } = walk.visit
  await open()
  const balances = page.getByRole('region', { name: 'Balances', exact: true })
  const rows = balances.getByRole('table').first().locator('tbody tr')
  const shown = async () => {
    const texts = await rows.evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
    )
    const at = texts.findIndex(([name]) => /^INIT on \d chains$/.test(name ?? ''))
    const after = texts.slice(at + 1)
    const end = after.findIndex(([name]) => !/^(Harbor|Galley|Lantern|Osmosis|Noble|Ethereum)/.test(name ?? ''))
    return { sum: texts[at]?.[1], chains: end < 0 ? after : after.slice(0, end) }
  }
  await rows.first().waitFor()
  const units = (text: string | undefined) => Math.round(Number(text?.replaceAll(',', '')) * 1e6)
  const before = await shown()
  expect(before.chains.length).toBeGreaterThan(3)
  expect(units(before.sum)).toBe(before.chains.reduce((sum, [, amount]) => sum + units(amount), 0))
  const worth = page.locator('.worth')
  const headline = await worth.textContent()
  await balances.getByRole('button', { name: 'Look on 3 more chains' }).click()
  await balances.getByText('Osmosis', { exact: true }).first().waitFor()
  await expect.poll(async () => (await shown()).chains.length).toBeGreaterThan(before.chains.length)
  await walk.visit.shows(/ more on \d other chains?, as the router reports$/)
  expect(await worth.textContent()).toBe(headline)
  expect(walk.visit.faults).toEqual([])
})

test('tabs switch by arrow keys, load when opened, and are stored in the URL', async () => {
  const { page, faults } = walk.visit
  const sent = new Set<string>()
  page.on('request', (request) => {
    if (!request.url().endsWith('/graphql')) return
    sent.add(request.postDataJSON().extensions?.persistedQuery.sha256Hash)
  })
  await open()
  await page.locator('.paused-list tbody tr').nth(5).waitFor()
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  const before = sent.size
  await tab('Activity').focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('table', { name: 'Bridge transfers' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('table', { name: 'Token transfers' }).waitFor()
  expect(new URL(page.url()).search).toBe('?tab=transfers')
  expect(await tab('Token transfers').getAttribute('aria-selected')).toBe('true')
  expect(sent.size - before).toBe(2)
  await page.keyboard.press('ArrowRight')
  await page.locator('.tiles li').first().waitFor()
  await page.keyboard.press('End')
  await page.getByRole('table', { name: 'EVM transactions' }).waitFor()
  await page.getByRole('table', { name: 'Internal calls' }).waitFor()
  await page.reload()
  await page.getByRole('table', { name: 'EVM transactions' }).waitFor()
  await tab('EVM').focus()
  await page.keyboard.press('Home')
  await page.locator('.paused-list tbody tr').nth(5).waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(faults).toEqual([])
})

test.each([1_440, 390])('at %i px, token transfers show a direction, and can be filtered', async (width) => {
  const { page, faults } = walk.visit
  await page.setViewportSize({ width, height: 900 })
  await open('?tab=transfers')
  const rows = page.getByRole('table', { name: 'Token transfers' }).locator('tbody tr')
  await rows.nth(5).waitFor()
  const texts = async () => (await rows.locator('.what').allTextContents()).map((it) => it.trim())
  expect((await texts()).every((row) => /^(In|Out|To itself) /.test(row))).toBe(true)
  // A phone shows the fields when they are asked for.
  if (width < 640) await page.getByText('Filters', { exact: true }).click()
  await page.getByLabel('Direction', { exact: true }).selectOption('in')
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.what')].every((row) => row.textContent?.startsWith('In ')),
  )
  await page.getByLabel('Token', { exact: true }).selectOption({ label: 'INIT' })
  await page.waitForURL(/token=/)
  await page.waitForFunction(() => {
    const amounts = [...document.querySelectorAll('.what')]
    return amounts.length > 0 && amounts.every((row) => row.textContent?.includes(' INIT'))
  })
  await page.getByLabel('Token', { exact: true }).selectOption('')
  await page.getByLabel('Chain', { exact: true }).selectOption('galley-1')
  await page.waitForURL(/chain=galley-1/)
  await page.waitForFunction(() => {
    const names = [...document.querySelectorAll('[role=tabpanel] .chain')]
    return names.length > 0 && names.every(({ textContent }) => textContent === 'Galley')
  })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(faults).toEqual([])
})

test.each([1_440, 390])('at %i px, a row opens to all balance changes, with the fee', async (width) => {
  const { page, faults } = walk.visit
  await page.setViewportSize({ width, height: 900 })
  await open()
  const row = page
    .locator('.paused-list tbody tr')
    // Who executes for another pays the fee, and who sends to several pays it for all senders.
    .filter({ hasText: 'Sent', hasNotText: /executed by|to \d+ accounts/ })
    .filter({ has: page.locator('.loss') })
    .first()
  const button = row.getByRole('button', { name: 'Balance changes' })
  await button.waitFor()
  expect(await row.getByText('Fee', { exact: true }).count()).toBe(0)
  await button.focus()
  await page.keyboard.press('Enter')
  await row.getByText('Fee', { exact: true }).waitFor()
  expect(await button.getAttribute('aria-expanded')).toBe('true')
  expect(await row.locator('.balance-changes li').count()).toBeGreaterThan(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(faults).toEqual([])
})
