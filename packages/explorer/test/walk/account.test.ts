import { expect, test } from 'vitest'
import { account } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
const path = `/address/${account}`
const open = (query = '') => walk.visit.page.goto(walk.gateway.origin + path + query)

// biome-ignore lint/suspicious/noExplicitAny: answers of any document
type Answer = any

/** Changes the balances that the page gets. */
const withBalances = (change: (balances: Answer[]) => void) =>
  walk.visit.page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const balances = json.data?.account?.balances?.balances
    if (balances) change(balances)
    await route.fulfill({ response, json })
  })

test.each([
  [1_440, 'light'],
  [1_440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)(
  'at %i px, %s: unlisted assets are folded, opened by the keyboard, and not in the total',
  async (width, colorScheme) => {
    const { page, faults } = walk.visit
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await withBalances((balances) => {
      for (const [index, balance] of balances.entries()) {
        if (!balance.asset) continue
        balance.asset.isHidden = false
        balance.asset.isListed = index > 1
        if (index < 2) balance.usdValue = '1000000.00'
      }
    })
    await open()
    const balances = page.getByRole('region', { name: 'Balances', exact: true })
    const summary = balances.getByText('2 unlisted assets', { exact: true })
    await summary.waitFor()
    // Two of a million dollars each are not summed.
    expect(await balances.locator('header .note').textContent()).toMatch(/^\$\d{1,3},?\d*\.\d\d$/)
    const folded = page.getByRole('table', { name: 'Unlisted, hidden and unpriced assets' })
    expect(await folded.isVisible()).toBe(false)
    await summary.focus()
    await page.keyboard.press('Enter')
    await folded.waitFor()
    expect(await folded.locator('tbody tr').count()).toBe(2)
    expect(await folded.getByText('unlisted', { exact: true }).count()).toBe(2)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    )
    expect(faults).toEqual([])
  },
)

test('the longest list of balances is opened by a press', async () => {
  const { page } = walk.visit
  await open()
  const rows = page.getByRole('table', { name: 'Balances', exact: true }).locator('tbody tr')
  await rows.nth(7).waitFor()
  expect(await rows.count()).toBe(8)
  await page.getByRole('button', { name: /^Show all \d+$/ }).click()
  await rows.nth(8).waitFor()
})
