import { expect, test } from 'vitest'
import { hash, screens, setScreen } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
const collector = 'init17xpfvakm2amg962yls6f84z3kell8c5l70rnql'

test('the page of a module account names the module, and has the address in hex too', async () => {
  const { page, shows, faults } = walk.visit
  await page.goto(`${walk.gateway.origin}/address/${collector}`)
  await page.locator('h1 + .module', { hasText: /^Fee collector$/ }).waitFor()
  await shows('0xf1829676db577682e944fc3493d451b67ff3e29f')
  expect(faults).toEqual([])
})

test.each(screens)('at %i px, %s: lists name module accounts beside their addresses', async (...screen) => {
  const { page, faults } = walk.visit
  await setScreen(page, screen)
  // The escrow account of a channel of the Cosmos Hub.
  const escrow = 'cosmos1x54ltnyg88k0ejmk8ytwrhd3ltm84xehrnlslf'
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response })
    const json = await response.json()
    const found = json.data?.transaction
    const cosmos = found?.coinTransfers ? found : found?.transaction
    const [first] = cosmos?.coinTransfers ?? []
    const moved = [collector, escrow].map((address) => ({
      ...first,
      recipient: { address, hexAddress: null },
      coins: [{ ...first?.coins[0], amount: '5', formattedAmount: '0.5' }],
    }))
    if (first) cosmos.coinTransfers = moved
    await route.fulfill({ response, json })
  })
  await page.goto(`${walk.gateway.origin}/tx/${hash}`)
  const tags = page.getByRole('table', { name: 'What moved' }).locator('.module')
  await tags.nth(1).waitFor()
  expect(await tags.allTextContents()).toEqual(['Fee collector', 'IBC escrow of channel-141'])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(screen[0])
  expect(faults).toEqual([])
})
