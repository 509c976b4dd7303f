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
  // Escrow of transfer/channel-141, as Cosmos Hub has it.
  const escrow = '0x352bfae6441d8efcc9763916b1ee3f5cf7a8b0f5'
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const json = JSON.parse(text)
    const found = json.data?.transaction
    const cosmos = found?.coinTransfers ? found : found?.transaction
    for (const [index, transfer] of (cosmos?.coinTransfers ?? []).entries())
      transfer.recipient = { ...transfer.recipient, address: index === 0 ? collector : escrow }
    await route.fulfill({ response, json })
  })
  await page.goto(`${walk.gateway.origin}/tx/${hash}`)
  await page.locator('.module').first().waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(screen[0])
  expect(faults).toEqual([])
})
