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

const desktop = { width: 1_440, height: 900 }

test.each([phone, desktop])(
  'GraphiQL at $width px is as high as the window, and no element scrolls it',
  async (size) => {
    const visit = await openGraphiql(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit.page.emulateMedia({ colorScheme })
      const places = await visit.page.evaluate(() => {
        const around = [document.documentElement, document.body, document.querySelector('#root')]
        return around.map((element) => {
          element?.scrollTo(2_000, 2_000)
          return [element?.scrollLeft, element?.scrollTop]
        })
      })
      expect(places).toEqual([0, 1, 2].map(() => [0, 0]))
      const { scrollWidth, scrollHeight } = await visit.page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement
        return { scrollWidth, scrollHeight }
      })
      expect({ width: scrollWidth, height: scrollHeight }).toEqual(size)
    }
    await endVisit(visit)
  },
)

test('GraphiQL joins no letters of an address', async () => {
  const visit = await openGraphiql(desktop)
  // The editor writes its own lines anew at any time, but not a copy of them.
  await visit.page.evaluate(() => {
    const lines = document.querySelector('.graphiql-editor .view-lines')
    const copy = lines?.cloneNode() as HTMLElement
    copy.id = 'copy'
    copy.style.cssText +=
      'position: fixed; inset: 0 auto auto 0; width: 300px; height: 30px; background: #fff; z-index: 9'
    lines?.after(copy)
  })
  const copy = visit.page.locator('#copy')
  const draw = async (features?: string) => {
    await copy.evaluate((element, value) => {
      element.textContent = '0x77fe => !='
      if (value) element.style.setProperty('font-feature-settings', value, 'important')
    }, features)
    return (await copy.screenshot()).toString('base64')
  }
  const shown = await draw()
  expect(shown === (await draw("'liga', 'calt'"))).toBe(false)
  expect(shown === (await draw("'liga' 0, 'calt' 0"))).toBe(true)
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
