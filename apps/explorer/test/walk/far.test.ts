import { expect, test } from 'vitest'
import { account } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

// biome-ignore lint/suspicious/noExplicitAny: answers of any document
type Answer = any

/** Rows of the list, as many as a reader who looks for something old scrolls through. */
const length = 5_000
const pageSize = 500

/** Answers with pages of many rows: those of the first answer, again and again, under hashes of their own. */
async function withManyRows() {
  let first: Answer
  let sent = 0
  await walk.visit.page.route('**/graphql', async (route) => {
    const isActivity = first && route.request().postDataJSON()?.variables?.after
    const response = isActivity ? undefined : await route.fetch()
    if (response && !response.headers()['content-type']?.includes('json')) return route.fulfill({ response })
    const json: Answer = response ? await response.json() : structuredClone(first)
    const list = json.data?.account?.activity
    if (!list?.edges.length) return route.fulfill({ json })
    first ??= structuredClone(json)
    list.edges = Array.from({ length: pageSize }, () => {
      const edge = structuredClone(first.data.account.activity.edges[sent % first.data.account.activity.edges.length])
      edge.node.hash = (sent++).toString(16).padStart(64, '0').toUpperCase()
      edge.cursor = `cursor${sent}`
      return edge
    })
    list.pageInfo = { ...list.pageInfo, hasNextPage: sent < length, endCursor: `cursor${sent}` }
    await route.fulfill({ json })
  })
}

test.each(['activity', 'transfers'])(
  'a list of 5,000 rows (%s) keeps those near the window, in less than 60 MB',
  async (tab) => {
    const { page, faults } = walk.visit
    await page.setViewportSize({ width: 1_280, height: 900 })
    await withManyRows()
    await page.goto(`${walk.gateway.origin}/address/${account}?tab=${tab}&until=2030-01-01T00:00&dust=show`)
    const rows = page.locator('.long tbody tr')
    await rows.first().waitFor()
    const more = page.locator('[role=tabpanel] .load-more')
    while ((await more.count()) > 0) {
      await more.click({ timeout: 1_000 }).catch(() => {})
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    }
    const height = () => page.evaluate(() => document.body.scrollHeight)
    const end = await height()
    await expect.poll(() => rows.count()).toBeLessThan(600)
    // What is dropped leaves a gap of its height.
    expect(Math.abs((await height()) - end)).toBeLessThan(50)
    const tools = await page.context().newCDPSession(page)
    await tools.send('HeapProfiler.enable')
    await tools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await tools.send('Runtime.getHeapUsage')
    expect(usedSize).toBeLessThan(60e6)
    // Those of each place are there at once when the reader comes back.
    for (const part of [0, 0.5, 0.25, 1]) {
      await page.evaluate((at) => scrollTo(0, at * (document.body.scrollHeight - innerHeight)), part)
      await expect
        .poll(() =>
          page.evaluate(() => {
            const at = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
            return at?.closest('tr') !== null
          }),
        )
        .toBe(true)
    }
    expect(faults).toEqual([])
  },
  60_000,
)
