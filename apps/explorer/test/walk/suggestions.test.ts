import axe from 'axe-core'
import { expect, test } from 'vitest'
import { account } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
const field = () => walk.visit.page.getByRole('combobox', { name: 'Search all chains' })
const options = () => walk.visit.page.getByRole('option')
const open = async (path = '/status') => {
  await walk.visit.page.goto(walk.gateway.origin + path)
  await walk.visit.shows('Services')
}

test.each([
  [1_440, 'light'],
  [390, 'dark'],
] as const)('at %i px, %s, suggestions are chosen by keyboard and announced', async (width, colorScheme) => {
  const { page, faults } = walk.visit
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  await open()
  await page.keyboard.press('/')
  expect(await field().getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.type('harb')
  await page.getByRole('option', { name: /^Chain Harbor harbor-1$/ }).waitFor()
  await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /^\d+ suggestions?$/ })
    .waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowDown')
  const [first] = await options().all()
  expect(await first?.getAttribute('aria-selected')).toBe('true')
  expect(await field().getAttribute('aria-activedescendant')).toBe(await first?.getAttribute('id'))
  await page.evaluate(axe.source)
  const barriers = await page.evaluate(async () => {
    const { run } = (window as never as { axe: typeof axe }).axe
    return (await run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
  expect(barriers).toEqual([])
  const box = await page.getByRole('listbox').boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/chain\/harbor-1$/)
  expect(await options().count()).toBe(0)
  expect(faults).toEqual([])
})

test('assets are suggested, native first, and the arrow keys wrap around', async () => {
  const { page } = walk.visit
  await open()
  await field().fill('init')
  await page.getByRole('option', { name: /^Asset INIT Harbor · native$/ }).waitFor()
  const all = await options().allTextContents()
  expect(all.findIndex((one) => one.startsWith('Asset'))).toBe(all.findIndex((one) => /^Asset INIT Harbor/.test(one)))
  await field().press('ArrowUp')
  expect(await options().last().getAttribute('aria-selected')).toBe('true')
  await field().press('ArrowDown')
  expect(await field().getAttribute('aria-activedescendant')).toBeNull()
  await field().press('Escape')
  expect(await options().count()).toBe(0)
  expect(await field().inputValue()).toBe('init')
})

test('addresses are suggested without a request, and chosen suggestions are stored', async () => {
  const { page } = walk.visit
  await open()
  let asked = 0
  page.on('request', (request) => {
    if (request.postDataJSON?.()?.variables?.text) asked++
  })
  await field().fill(account)
  await page.getByRole('option', { name: new RegExp(`^Account ${account}`) }).click()
  await page.waitForURL(`**/address/${account}`)
  expect(asked).toBe(0)
  await field().fill('1041')
  await page.getByRole('option', { name: /^Block 1,041 Galley$/ }).click()
  await page.waitForURL(/\/block\/galley-1\/1041$/)
  await page.reload()
  await field().click()
  await page.getByRole('option', { name: /^Recent 1,041 Galley$/ }).waitFor()
  expect(await options().allTextContents()).toHaveLength(2)
  await page.keyboard.press('Tab')
  expect(await options().count()).toBe(0)
})

test('a hash that no chain has leads to the same candidates by suggestion, by Enter, and on its own page', async () => {
  const { page } = walk.visit
  const hash = 'AB'.repeat(32)
  const candidates = async () => {
    await page.getByText('Maybe a transfer').first().waitFor()
    return await page.locator('tbody td:first-child a').allTextContents()
  }
  await open()
  await field().fill(hash)
  await page.getByRole('option', { name: /^Transaction/ }).click()
  const suggested = await candidates()
  expect(suggested).toContain('Osmosis')
  expect(new Set(suggested).size).toBe(suggested.length)
  await open()
  await field().fill(hash)
  await field().press('Enter')
  expect(await candidates()).toEqual(suggested)
  await page.goto(`${walk.gateway.origin}/tx/${hash}`)
  expect(await candidates()).toEqual(suggested)
})

test.each(['0x77fe0c22', 'init1abc…xyz'])('the cut address %s opens no account', async (cut) => {
  const { page } = walk.visit
  await open()
  await field().fill(cut)
  await field().press('Enter')
  await walk.visit.shows('This address or hash is too short or cut. Paste all of it.')
  await page.goto(`${walk.gateway.origin}/address/${encodeURIComponent(cut)}`)
  await walk.visit.shows('This address or hash is too short or cut. Paste all of it.')
  expect(await page.locator('.worth').count()).toBe(0)
})

test('a pasted link of another explorer opens what it names', async () => {
  await open()
  await field().fill(`https://scan.example/harbor-1/address/${account}?tab=txs`)
  await field().press('Enter')
  await walk.visit.page.waitForURL(`**/address/${account}`)
})
