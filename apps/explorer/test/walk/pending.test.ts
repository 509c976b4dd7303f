import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hash, transfer } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
const open = (path: string) => walk.visit.page.goto(walk.gateway.origin + path)
const unknown = () => randomBytes(32).toString('hex')
const tryAgain = () => walk.visit.page.getByRole('button', { name: /again$/ }).count()

test.each([1_440, 390])('at %i px, an unknown hash is checked again after a shown countdown', async (width) => {
  const { page, faults } = walk.visit
  await page.setViewportSize({ width, height: 900 })
  let asked = 0
  page.on('request', (request) => {
    if (request.postDataJSON?.()?.variables?.hash) asked++
  })
  await open(`/tx/${unknown()}`)
  await walk.visit.shows('was not found yet.')
  await walk.visit.shows(/All chains are checked again in [1-4] seconds?\./)
  expect(await tryAgain()).toBe(0)
  const before = asked
  await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(before)
  await walk.visit.shows(/All chains are checked again in [5-8] seconds\./)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  // The server answers 404 for it.
  expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
})

test('a transaction found later is shown without a reload', async () => {
  const { page } = walk.visit
  let isKnown = false
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    if (json.data?.transaction && !isKnown) json.data.transaction = null
    await route.fulfill({ response, json })
  })
  await open(`/tx/${hash}`)
  await walk.visit.shows('was not found yet.')
  isKnown = true
  await walk.visit.shows(/\/ 99,982$/)
})

test('an unknown hash on a chain is checked with each block, without a "Try again"', async () => {
  await open(`/tx/galley-1/${unknown()}`)
  await walk.visit.shows('was not found yet.')
  await walk.visit.shows(/checked again with each new block, at least every 5 seconds/)
  expect(await tryAgain()).toBe(0)
})

test('an unknown transfer is "not found yet", not "submitted" or "in transit"', async () => {
  const { page } = walk.visit
  await open(`/transfer/osmosis-1/${transfer.replace(/01$/, 'E3')}`)
  const overview = page.getByRole('region', { name: 'Overview', exact: true })
  await overview.getByText('not found on Osmosis yet', { exact: true }).waitFor()
  await overview.getByText(/checked again within 5 seconds/).waitFor()
  expect(await overview.textContent()).not.toMatch(/submitted|in transit/)
  expect(await tryAgain()).toBe(0)
})

test('a transfer of a transaction that is on its chain is "submitted", not "not found yet"', async () => {
  const { page } = walk.visit
  await open(`/transfer/galley-1/${hash}`)
  const overview = page.getByRole('region', { name: 'Overview', exact: true })
  await overview
    .getByText(/submitted|pending|Arrived|failed|abandoned/)
    .first()
    .waitFor()
  expect(await overview.textContent()).not.toMatch(/not found/)
})
