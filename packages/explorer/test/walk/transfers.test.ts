import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startBrowser, startVisit, transfer, type Visit } from './browser.ts'
import { startGateway } from './gateway.ts'

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
afterEach(() => visit.context.close())

const rows = () => visit.page.locator('tbody tr')

test('a transfer is watched from its page, kept in the browser, shown live, and removed', async () => {
  const { page } = visit
  await page.goto(`${gateway.origin}/transfer/osmosis-1/${transfer}`)
  await page.getByRole('button', { name: 'Watch it' }).click()
  await page.getByRole('button', { name: 'Stop watching it' }).waitFor()
  await page.getByRole('link', { name: 'Transfers' }).click()
  await page.waitForURL(/\/transfers$/)
  await page.reload()
  await rows()
    .filter({ hasText: /pending|succeeded/ })
    .waitFor()
  // The sandbox ends it while the page is open.
  await rows().filter({ hasText: 'succeeded' }).waitFor({ timeout: 40_000 })
  await page.getByRole('button', { name: /Stop watching it/ }).click()
  await visit.shows('You watch no transfer.')
  await page.reload()
  await visit.shows('You watch no transfer.')
  expect(visit.faults).toEqual([])
})

test('a transfer is added by its chain and hash, and what another tab adds is shown too', async () => {
  const { page, context } = visit
  await page.goto(`${gateway.origin}/transfers`)
  await page.getByLabel('Chain', { exact: true }).selectOption('osmosis-1')
  await page.getByLabel('Hash', { exact: true }).fill(transfer)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await rows().nth(0).waitFor()
  const other = await context.newPage()
  await other.goto(`${gateway.origin}/transfer/osmosis-1/${transfer.replace('01', '02')}`)
  await other.getByRole('button', { name: 'Watch it' }).click()
  await rows().nth(1).waitFor()
  expect(await rows().count()).toBe(2)
})

test('a quote is kept beside another, with what is different, and the link has both', async () => {
  const { page } = visit
  await page.goto(
    `${gateway.origin}/quote?from=harbor-1&asset=uinit&to=1&for=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&amount=250`,
  )
  await visit.shows('You get')
  await page.getByRole('button', { name: 'Keep it to compare' }).click()
  await visit.shows('Kept route')
  await page.getByLabel('Amount').fill('500')
  await page.getByLabel('Amount').press('Enter')
  const difference = page.getByRole('region', { name: 'The route beside the kept one' })
  await difference.getByText(/\+[\d.]+ USDC/).waitFor()
  await page.reload()
  await difference.getByText(/\+[\d.]+ USDC/).waitFor()
  expect(await page.locator('.columns .panel').count()).toBe(2)
  await page.getByRole('button', { name: 'Drop it' }).click()
  await difference.waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).not.toContain('vs-')
})
