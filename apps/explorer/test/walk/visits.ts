import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { endVisit, startBrowser, startVisit, type Visit } from './browser.ts'
import { startGateway } from './gateway.ts'

/** One gateway and one browser for the tests of a file, and a new visitor for each test. */
export function openVisits() {
  let gateway: Awaited<ReturnType<typeof startGateway>>
  let browser: Browser
  let visit: Visit
  beforeAll(async () => {
    gateway = await startGateway()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    gateway?.stop()
  })
  beforeEach(async () => {
    visit = await startVisit(browser)
  })
  afterEach(() => endVisit(visit))
  return {
    get gateway() {
      return gateway
    },
    get browser() {
      return browser
    },
    get visit() {
      return visit
    },
  }
}
