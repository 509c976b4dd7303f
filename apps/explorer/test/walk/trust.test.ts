import type { Page, WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { account, screens, setScreen } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

/** Seconds that an age says. */
function secondsOf(age: string): number {
  const [, count = '0', unit = 's'] = /^(\d+)([smhd]) ago$/.exec(age) ?? []
  return Number(count) * { s: 1, m: 60, h: 3_600, d: 86_400 }[unit as 's']
}

const agesOf = (page: Page) =>
  page.locator('.paused-list td time').evaluateAll((all) => all.map((time) => time.textContent ?? ''))

test.each(screens)('at %i px, %s: ages never run backwards, and none is older than its record', async (...screen) => {
  const { page } = walk.visit
  await setScreen(page, screen)
  await page.goto(`${walk.gateway.origin}/address/${account}`)
  await page.locator('.paused-list tbody tr').nth(9).waitFor()
  const ages = await agesOf(page)
  expect(ages.length).toBeGreaterThan(9)
  const seconds = ages.map(secondsOf)
  expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
  const records = await page
    .locator('.paused-list td time')
    .evaluateAll((all) => all.map((time) => (Date.now() - Date.parse((time as HTMLTimeElement).dateTime)) / 1000))
  records.forEach((real, index) => {
    expect(seconds[index] ?? 0).toBeLessThanOrEqual(real + 1)
  })
})

test.each(screens)('at %i px, %s: a German browser shows one form of numbers', async (...screen) => {
  const context = await walk.browser.newContext({ locale: 'de-DE' })
  const page = await context.newPage()
  await setScreen(page, screen)
  await page.goto(`${walk.gateway.origin}/address/${account}`)
  await page.locator('.paused-list tbody tr').nth(9).waitFor()
  const numbers = (await page.locator('main .amount').allTextContents()).flatMap(
    (text) => text.match(/^[+−]?[\d.,]+/) ?? [],
  )
  expect(numbers.length).toBeGreaterThan(10)
  // Thousands by commas, and one point at most.
  expect(numbers.filter((number) => !/^[+−]?(\d{1,3})(,\d{3})*(\.\d+)?$/.test(number))).toEqual([])
  expect((await agesOf(page)).every((age) => /^(now|\d+[smhd] ago)$/.test(age))).toBe(true)
  await context.close()
})

/** Texts that name something: an address or a hash as it is shortened, or a height. Each is to be a link. */
const findUnlinked = (): readonly string[] => {
  const texts = document.createTreeWalker(document.querySelector('main') as HTMLElement, NodeFilter.SHOW_TEXT)
  const unlinked: string[] = []
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode
    const isName = /(?:0x[\da-f]{6}|1[02-9ac-hj-np-z]{6})\S*…|\b[\dA-F]{64}\b/.test(textContent ?? '')
    if (isName && !parentElement?.closest('a, h1, .facts, pre')) unlinked.push(textContent ?? '')
  }
  return unlinked
}

test.each(screens)('at %i px, %s: what a row names leads to its page', async (...screen) => {
  const { page, faults } = walk.visit
  await setScreen(page, screen)
  const kinds = new Set<string>()
  for (const path of ['/chain/harbor-1', '/chain/galley-1', '/chain/lantern-1', `/address/${account}`]) {
    await page.goto(walk.gateway.origin + path)
    await page.locator('.sentence').nth(10).waitFor()
    expect(await page.evaluate(findUnlinked), path).toEqual([])
    const hrefs = await page
      .locator('.sentence a, tbody a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    for (const href of hrefs) kinds.add(href.split('/')[1] ?? '')
  }
  for (const kind of ['address', 'asset', 'block', 'chain', 'contract', 'nft', 'tx']) expect(kinds).toContain(kind)
  expect(faults).toEqual([])
})

test('what is pointed at can be copied', async () => {
  const { page } = walk.visit
  await walk.visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${walk.gateway.origin}/chain/harbor-1`)
  const rows = page.getByRole('table', { name: 'Transactions', exact: true }).locator('tbody tr')
  await rows.nth(10).waitFor()
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

test.each(screens)('at %i px, %s: the picture of an NFT that lies in its metadata is shown', async (...screen) => {
  const { page, hosts, faults } = walk.visit
  await setScreen(page, screen)
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
