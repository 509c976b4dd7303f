import type { Page, WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { account } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

/** Seconds that an age says. */
function secondsOf(age: string): number {
  const [, count = '0', unit = 's'] = /^(\d+)([smhd]) ago$/.exec(age) ?? []
  return Number(count) * { s: 1, m: 60, h: 3_600, d: 86_400 }[unit as 's']
}

const agesOf = (page: Page) =>
  page.locator('.held td time').evaluateAll((all) => all.map((time) => time.textContent ?? ''))

test('the ages of a list never run backwards, and none is older than its record', async () => {
  const { page } = walk.visit
  await page.goto(`${walk.gateway.origin}/address/${account}`)
  await page.locator('.held tbody tr').nth(15).waitFor()
  const ages = await agesOf(page)
  expect(ages.length).toBeGreaterThan(15)
  const seconds = ages.map(secondsOf)
  expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
  const records = await page
    .locator('.held td time')
    .evaluateAll((all) => all.map((time) => (Date.now() - Date.parse((time as HTMLTimeElement).dateTime)) / 1000))
  records.forEach((real, index) => {
    expect(seconds[index] ?? 0).toBeLessThanOrEqual(real + 1)
  })
})

test('a reader of another language sees one form of numbers, in sentences as beside them', async () => {
  const context = await walk.browser.newContext({ locale: 'de-DE', viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${walk.gateway.origin}/address/${account}`)
  await page.locator('.held tbody tr').nth(15).waitFor()
  const numbers = (await page.locator('main .amount').allTextContents()).flatMap(
    (text) => text.match(/^[+−]?[\d.,]+/) ?? [],
  )
  expect(numbers.length).toBeGreaterThan(15)
  // Thousands by commas, and one point at most.
  expect(numbers.filter((number) => !/^[+−]?(\d{1,3})(,\d{3})*(\.\d+)?$/.test(number))).toEqual([])
  expect((await agesOf(page)).every((age) => /^(now|\d+[smhd] ago)$/.test(age))).toBe(true)
  await context.close()
})

test('what a sentence names leads to its page, and what is pointed at can be copied', async () => {
  const { page } = walk.visit
  await walk.visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${walk.gateway.origin}/chain/harbor-1`)
  const rows = page.getByRole('table', { name: 'Transactions', exact: true }).locator('tbody tr')
  await rows.nth(10).waitFor()
  const hrefs = await rows
    .locator('.sentence a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  expect(hrefs.some((href) => href.startsWith('/address/'))).toBe(true)
  expect(hrefs.some((href) => href.startsWith('/asset/harbor-1/'))).toBe(true)
  const linked = rows.nth(1).locator('td.wide .linked').first()
  await linked.hover()
  await linked.getByRole('button', { name: 'Copy' }).click()
  const href = await linked.locator('a').getAttribute('href')
  expect(href).toBe(`/tx/harbor-1/${await page.evaluate(() => navigator.clipboard.readText())}`)
  expect(walk.visit.faults).toEqual([])
})

test('a list is not live while the connection is lost', async () => {
  const { page } = walk.visit
  const open = new Set<WebSocketRoute>()
  let isLost = false
  await page.routeWebSocket('**/graphql', (socket) => {
    if (isLost) return void socket.close()
    socket.connectToServer()
    open.add(socket)
  })
  // Events come over requests where no socket can be opened.
  await page.route('**/graphql', (route) => (isLost ? route.abort() : route.continue()))
  await page.goto(walk.gateway.origin)
  const live = page.getByRole('region', { name: 'Blocks', exact: true }).getByText('live', { exact: true })
  await live.waitFor()
  isLost = true
  for (const socket of open) await socket.close()
  await live.waitFor({ state: 'detached' })
})

test('the picture of an NFT that lies in its metadata is shown, and loads nothing', async () => {
  const { page, hosts, faults } = walk.visit
  await page.goto(`${walk.gateway.origin}/address/${account}?tab=nfts`)
  const picture = page.locator('.tiles img.picture').first()
  await picture.waitFor()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await page.locator('.tiles a:has(img)').first().click()
  await page.locator('.pictured img.picture').waitFor()
  await walk.visit.shows('Traits')
  expect([...hosts]).toEqual([new URL(walk.gateway.origin).host])
  expect(faults).toEqual([])
})
