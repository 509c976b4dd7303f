import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { account, hash, startBrowser, startVisit } from './browser.ts'
import { startGateway } from './gateway.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** The upstream requests that the queries of a page took, as the gateway counts them. */
async function requestsOf(url: string, data: string): Promise<number> {
  const { page, context } = await startVisit(browser)
  let requests = 0
  await page.route('**/graphql', async (route) => {
    const headers = { ...route.request().headers(), 'graphql-cost-debug': '1' }
    const response = await route.fetch({ headers })
    const { extensions } = await response.json()
    requests += extensions?.cost?.upstreamRequests ?? 0
    await route.fulfill({ response })
  })
  await page.goto(url)
  await page.locator(data).first().waitFor()
  await page.waitForLoadState('networkidle')
  await context.close()
  return requests
}

/** A row of the table in the docs: the page, the requests of its first visitor and those of the next. */
const rows = readFileSync(new URL('../../../../docs/explorer.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, path = '', cold = '', next = ''] =
      /^\| `(\/[^`]*)` \| (\d+) \| (\d+) \|$/.exec(line) ?? []
    return path === '' ? [] : [{ path, cold: Number(cold), next: Number(next) }]
  })

/** Paths of records for those of the table, and what a page has once its data has come. */
const records: Readonly<Record<string, readonly [string, string]>> = {
  '/': ['/', '.card .big a'],
  '/search': ['/search?q=lantern', 'tbody td'],
  '/chain/…': ['/chain/galley-1', '.held tbody td'],
  '/block/…': ['/block/galley-1/1041', '.facts dd'],
  '/tx/…': [`/tx/${hash}`, '.facts dd'],
  '/address/…': [`/address/${account}`, '.held tbody td'],
  '/asset/…': ['/asset/harbor-1/uinit', 'tbody td'],
  '/quote': ['/quote', '.hops li'],
  '/transfers': ['/transfers', 'form select'],
  '/status': ['/status', 'tbody td'],
}

test('the docs have a row for each page', () => {
  expect(rows.map(({ path }) => path)).toEqual(Object.keys(records))
})

test.each(rows)('$path takes no more requests than the docs say', async ({ path, cold, next }) => {
  const [at = '', data = ''] = records[path] ?? []
  const gateway = await startGateway()
  try {
    const first = await requestsOf(gateway.origin + at, data)
    const second = await requestsOf(gateway.origin + at, data)
    expect(first, 'first visitor').toBeLessThanOrEqual(cold)
    expect(second, 'next visitor').toBeLessThanOrEqual(next)
  } finally {
    gateway.stop()
  }
})
