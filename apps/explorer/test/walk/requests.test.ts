import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CollectionNameDocument } from '../../src/generated/graphql.ts'
import { account, endVisit, hash, startBrowser, startVisit, transfer } from './browser.ts'
import { startGateway } from './gateway.ts'
import { type FoundNft, findNft } from './pages.ts'
import { restRequests, startServices } from './restRequests.ts'

const nameHash = createHash('sha256').update(String(CollectionNameDocument)).digest('hex')

let browser: Browser
let nft: FoundNft
beforeAll(async () => {
  browser = await startBrowser()
  nft = await findOnce()
})
afterAll(() => browser?.close())

/** An NFT of galley-1, found by another gateway than those that are measured. */
async function findOnce(): Promise<FoundNft> {
  const gateway = await startGateway()
  try {
    return await findNft(gateway)
  } finally {
    gateway.stop()
  }
}

/** The upstream requests that the queries of a page took, and their points, as the gateway counts them. */
async function costOf(url: string, data: string): Promise<{ requests: number; points: number }> {
  const { page, context } = await startVisit(browser)
  let requests = 0
  let points = 0
  await page.route('**/graphql', async (route) => {
    const headers = { ...route.request().headers(), 'graphql-cost-debug': '1' }
    const response = await route.fetch({ headers })
    const { extensions } = await response.json()
    // The newest rows have other collections each time: their names come on top of the table.
    if (route.request().postDataJSON().extensions.persistedQuery.sha256Hash === nameHash)
      return route.fulfill({ response })
    requests += extensions?.cost?.upstreamRequests ?? 0
    points += extensions?.cost?.points ?? 0
    await route.fulfill({ response })
  })
  await page.goto(url)
  await page.locator(data).first().waitFor()
  await page.waitForLoadState('networkidle')
  await endVisit({ context })
  return { requests, points }
}

/** A row of the table in the docs: the page, the requests of its first visitor, of the next and of REST, and its points. */
const rows = readFileSync(new URL('../../../../docs/explorer.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, path = '', ...counts] = /^\| `(\/[^`]*)` \| (\d+) \| (\d+) \| (\d+) \| ([\d,]+) \|$/.exec(line) ?? []
    const [cold = 0, next = 0, rest = 0, points = 0] = counts.map((count) => Number(count.replace(',', '')))
    return path === '' ? [] : [{ path, cold, next, rest, points }]
  })

/** Paths of records for those of the table, and what a page has once its data has come. */
const records: Readonly<Record<string, readonly [string, string]>> = {
  '/': ['/', '.card .big a'],
  '/search': ['/search?q=lantern', 'tbody td'],
  '/chain/…': ['/chain/galley-1', '.paused-list tbody td'],
  '/block/…': ['/block/galley-1/1041', '.facts dd'],
  '/tx/…': [`/tx/${hash}`, '.facts dd'],
  '/address/…': [`/address/${account}`, '.paused-list tbody td'],
  '/address/…?tab=transfers': [`/address/${account}?tab=transfers`, '[role=tabpanel] tbody td'],
  '/address/…?tab=nfts': [`/address/${account}?tab=nfts`, '.tiles li'],
  '/address/…?tab=evm': [`/address/${account}?tab=evm`, '[role=tabpanel] tbody td'],
  '/asset/…': ['/asset/harbor-1/uinit', 'tbody td'],
  '/assets': ['/assets', 'td.number[aria-busy=false]'],
  '/validators/…': ['/validators/harbor-1', 'tbody td'],
  '/contracts/…': ['/contracts/galley-1', 'tbody td'],
  '/usage/…': ['/usage/galley-1', 'tbody td'],
  '/collection/…': ['/collection/galley-1/{collection}', '.tiles li'],
  '/contract/…': ['/contract/galley-1/{collection}', 'tbody td'],
  '/nft/…': ['/nft/galley-1/{collection}/{token}', '.facts dd'],
  '/quote': ['/quote', '.hops li'],
  '/transfer/…': [`/transfer/osmosis-1/${transfer}`, '.hops li'],
  '/transfers': ['/transfers', 'form select'],
  '/status': ['/status', 'tbody td'],
}

test('the docs have a row for each page', () => {
  expect(rows.map(({ path }) => path)).toEqual(Object.keys(records))
})

test('a REST frontend sends as many requests as documented, and no fewer than a page', async () => {
  const services = await startServices()
  try {
    const requests = restRequests(...nft)
    for (const { path, cold, next, rest } of rows) {
      const sent = requests[path] ?? []
      expect(rest, path).toBe(sent.length)
      expect(cold, path).toBeLessThanOrEqual(rest)
      expect(next, path).toBeLessThanOrEqual(cold)
      expect(new Set(sent.map((one) => JSON.stringify(one))).size, path).toBe(sent.length)
      // A transaction is on one chain: the others know nothing of it.
      const statuses = await Promise.all(sent.map(services.request))
      const isKnown = (status: number) => status === 200 || (path === '/tx/…' && status === 404)
      expect(
        statuses.filter((status) => !isKnown(status)),
        path,
      ).toEqual([])
    }
  } finally {
    services.stop()
  }
})

/** The share by which the points of a page may differ: the size of the newest blocks and answers counts too. */
const tolerance = 0.03

test.each(rows)('$path takes the documented points, and no more requests than those', async (row) => {
  const [record = '', data = ''] = records[row.path] ?? []
  const at = record.replace('{collection}', nft[0]).replace('{token}', nft[1])
  const gateway = await startGateway()
  try {
    const first = await costOf(gateway.origin + at, data)
    const next = await costOf(gateway.origin + at, data)
    expect(first.requests, 'first visitor').toBeLessThanOrEqual(row.cold)
    expect(next.requests, 'next visitor').toBeLessThanOrEqual(row.next)
    for (const { points } of [first, next]) {
      expect(Math.abs(points - row.points), `${points} points`).toBeLessThanOrEqual(tolerance * row.points)
    }
  } finally {
    gateway.stop()
  }
})
