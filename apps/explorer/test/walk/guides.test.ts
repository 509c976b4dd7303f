import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readGuides } from '../../../../src/server/static/guides.ts'
import { endVisit, screens, setScreen, startBrowser, startVisit } from './browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** A host that the browser is answered for, with the guides as a clone without a built site has them. */
const origin = 'http://guides.test'

test.each(['/docs/', '/docs/cost', '/docs/guides/react'])('axe finds nothing on %s of a clone', async (path) => {
  const guides = await readGuides(new URL('../../../../docs/', import.meta.url))
  const visit = await startVisit(browser)
  const { page } = visit
  await page.route(`${origin}/**`, async (route) => {
    const file = await guides?.fileAt(new URL(route.request().url()).pathname)
    // axe itself is a script that the policy of the page would stop.
    const { 'content-security-policy': _, ...headers } = file?.headers ?? {}
    await route.fulfill(file ? { headers, body: file.bodies.identity } : { status: 404 })
  })
  for (const screen of screens) {
    await setScreen(page, screen)
    await page.goto(origin + path)
    expect(await page.locator('main h1').count()).toBe(1)
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (window as never as { axe: typeof axe }).axe.run())
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      screen.join(' '),
    ).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(screen[0])
  }
  await endVisit(visit)
})
