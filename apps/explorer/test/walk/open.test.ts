import { expect, test } from 'vitest'
import { account } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

/** Opens an account whose activity the test sends, with all rows: how many are hidden changes with the time. */
async function openFed() {
  const { page } = walk.visit
  const fed = { reads: 0, send: (_: number) => {} }
  let node: object | undefined
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const activity = json.data?.account?.activity
    if (activity) {
      fed.reads++
      node = activity.edges[0].node
    }
    await route.fulfill({ response, json })
  })
  await page.routeWebSocket('**/graphql', (socket) => {
    socket.onMessage((text) => {
      const { type, id, payload } = JSON.parse(String(text))
      if (type === 'connection_init') socket.send(JSON.stringify({ type: 'connection_ack' }))
      if (type !== 'subscribe' || !payload.query.includes('LiveActivity')) return
      fed.send = (number) => {
        const hash = number.toString(16).padStart(64, '0')
        const chain = { chainId: 'galley-1', prettyName: 'Galley' }
        const activity = { cursor: `${number}`, chain, node: { ...node, hash }, notice: null }
        socket.send(JSON.stringify({ id, type: 'next', payload: { data: { activity } } }))
      }
    })
  })
  await page.goto(`${walk.gateway.origin}/address/${account}?dust=show`)
  const rows = page.locator('.paused-list tbody tr')
  await rows.nth(19).waitFor()
  return { page, rows, fed }
}

test('a list is loaded again after a thousand live rows, and continues', async () => {
  const { rows, fed } = await openFed()
  await expect
    .poll(async () => {
      fed.send(1)
      return await rows.count()
    })
    .toBe(21)
  expect(fed.reads).toBe(1)
  for (let number = 2; number <= 1_000; number++) fed.send(number)
  await expect.poll(() => fed.reads, { timeout: 15_000 }).toBe(2)
  await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(20)
  await expect
    .poll(async () => {
      fed.send(1_001)
      return await rows.count()
    })
    .toBe(21)
  expect(walk.visit.faults).toEqual([])
})

test('a list scrolled far down is loaded again after two thousand live rows', async () => {
  const { page, rows, fed } = await openFed()
  await page.setViewportSize({ width: 1_280, height: 300 })
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect.poll(() => page.evaluate(() => scrollY > 2 * innerHeight)).toBe(true)
  const before = await rows.count()
  await expect
    .poll(async () => {
      fed.send(1)
      return await rows.count()
    })
    .toBeGreaterThan(before)
  for (let number = 2; number <= 1_500; number++) fed.send(number)
  // Rows far from the window are not in the document, but their groups are.
  const length = async () => 20 * (await page.locator('.paused-list tbody').count())
  await expect.poll(length, { timeout: 15_000 }).toBeGreaterThanOrEqual(1_520)
  const last = fed.reads
  for (let number = 1_501; number <= 2_000; number++) fed.send(number)
  await expect.poll(length, { timeout: 15_000 }).toBeLessThan(1_000)
  await expect.poll(() => fed.reads, { timeout: 15_000 }).toBeGreaterThan(last)
})
