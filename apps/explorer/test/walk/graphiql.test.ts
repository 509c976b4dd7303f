import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endVisit, startBrowser, startVisit, type Visit } from './browser.ts'
import { startGateway } from './gateway.ts'

let browser: Browser
let gateway: Awaited<ReturnType<typeof startGateway>>
beforeAll(async () => {
  ;[browser, gateway] = await Promise.all([startBrowser(), startGateway()])
})
afterAll(async () => {
  await browser.close()
  gateway.stop()
})

const phone = { width: 390, height: 844 }

async function openGraphiql(size = phone): Promise<Visit> {
  const visit = await startVisit(browser)
  await visit.page.setViewportSize(size)
  await visit.page.goto(`${gateway.origin}/graphql`)
  await visit.page.locator('.graphiql-editor .view-line').first().waitFor()
  return visit
}

/** The visible buttons whose centers are covered by something else, by their names. */
const coveredButtons = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button')].flatMap((button) => {
      const { left, top, width, height } = button.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      // Tabs are scrolled out of sight in their list.
      const { right = innerWidth } = button.closest('.graphiql-tabs')?.getBoundingClientRect() ?? {}
      const isShown = width > 0 && x >= 0 && y >= 0 && x <= right && y <= innerHeight
      const found = isShown ? document.elementFromPoint(x, y) : button
      const name = button.getAttribute('aria-label') ?? button.textContent ?? ''
      return button.contains(found) ? [] : [`${name} below ${found?.className}`]
    }),
  )

const tabNames = (page: Page) =>
  page.locator('.graphiql-tab-button').evaluateAll((all) => all.map((tab) => tab.textContent))

test.each([phone.width, 768, 1_440])('GraphiQL at %i px: no button is covered', async (width) => {
  const visit = await openGraphiql({ ...phone, width })
  expect(await coveredButtons(visit.page)).toEqual([])
  await visit.page.mouse.wheel(0, 2_000)
  expect(await visit.page.evaluate(() => [scrollX, scrollY])).toEqual([0, 0])
  await endVisit(visit)
})

test('GraphiQL on a phone opens the documentation by a tap', async () => {
  const visit = await openGraphiql()
  const docs = visit.page.getByRole('button', { name: 'Show Documentation Explorer' })
  const { x, y, width, height } = (await docs.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await visit.page.mouse.click(x + width / 2, y + height / 2)
  await visit.page.getByText('One graph over the indexers').waitFor()
  const { width: shown } = (await visit.page.locator('.graphiql-plugin').boundingBox()) ?? {}
  expect(shown).toBe(phone.width)
  await endVisit(visit)
})

test('GraphiQL restores tabs and their names on reload', async () => {
  const visit = await openGraphiql({ width: 1_280, height: 900 })
  const names = await tabNames(visit.page)
  expect(names.length).toBeGreaterThan(3)
  for (let i = 0; i < 2; i += 1) {
    await visit.page.reload()
    await visit.page.locator('.graphiql-editor .view-line').first().waitFor()
    expect(await tabNames(visit.page)).toEqual(names)
  }
  await endVisit(visit)
})

test('GraphiQL reports that the gateway cannot be reached', async () => {
  const visit = await openGraphiql({ width: 1_280, height: 900 })
  await visit.page.route('**/graphql', (route) => route.abort())
  await visit.page.getByRole('button', { name: /Execute query/ }).click()
  await visit.page.getByText('The gateway cannot be reached.').waitFor()
  expect(await visit.page.locator('.graphiql-response').textContent()).not.toContain('SUBREQUEST_HTTP_ERROR')
  await endVisit(visit)
})
