import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { account, endVisit, startBrowser, startVisit, type Visit } from './browser.ts'
import { startGateway } from './gateway.ts'

let gateway: Awaited<ReturnType<typeof startGateway>>
let browser: Browser
let visit: Visit

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())
// What one test has asked for would be in the cache of the next.
beforeEach(async () => {
  gateway = await startGateway()
  visit = await startVisit(browser)
})
afterEach(async () => {
  await endVisit(visit)
  gateway.stop()
})

const press = async (name: string) => {
  await visit.page.getByRole('button', { name, exact: true }).click()
}

test.each(['Error 500', 'No answer', 'Garbage'])(
  'with "%s" of one chain the others stay, and all of it comes back by itself',
  async (kind) => {
    const { page, shows } = visit
    await page.goto(`${gateway.origin}/status`)
    await press(`galley-1: ${kind}`)
    await shows(/mended in \d+ s/)
    const other = await visit.context.newPage()
    await other.goto(`${gateway.origin}/address/${account}`)
    const note = other.getByRole('note').filter({ hasText: 'galley-1' })
    await note.first().waitFor({ timeout: 30_000 })
    // What the other chains have is there.
    await other.getByRole('link', { name: 'Harbor', exact: true }).first().waitFor()
    await other.locator('.held tbody tr').nth(5).waitFor()
    await press(`galley-1: ${kind}`)
    await page.getByText(/mended in/).waitFor({ state: 'detached' })
    await expect.poll(() => note.count(), { timeout: 60_000, message: 'the chain is back' }).toBe(0)
    await other.getByRole('link', { name: 'Galley', exact: true }).first().waitFor()
    expect(visit.faults).toEqual([])
  },
)

test('a broken router leaves the chains, and the page of quotes says why it is empty', async () => {
  const { page } = visit
  await page.goto(`${gateway.origin}/status`)
  await press('router: Error 500')
  await visit.shows(/mended in \d+ s/)
  await page.goto(`${gateway.origin}/block/harbor-1/1041`)
  await visit.shows('Harbor')
  await page.goto(`${gateway.origin}/quote`)
  await page.getByRole('note').first().waitFor({ timeout: 30_000 })
})

test('the blocks of a chain that did not answer come back by themselves, and are not said to be live before', async () => {
  const { page, context } = visit
  await page.goto(`${gateway.origin}/status`)
  await press('galley-1: Error 500')
  await visit.shows(/mended in \d+ s/)
  const other = await context.newPage()
  await other.goto(`${gateway.origin}/chain/galley-1`)
  const blocks = other.getByRole('region', { name: 'Blocks', exact: true })
  await blocks.getByRole('note').waitFor({ timeout: 30_000 })
  expect(await blocks.getByText('live', { exact: true }).count()).toBe(0)
  await press('galley-1: Error 500')
  await blocks.locator('tbody tr').nth(5).waitFor({ timeout: 30_000 })
  await blocks.getByText('live', { exact: true }).waitFor()
  expect(await blocks.getByRole('note').count()).toBe(0)
})
