import { expect, test } from 'vitest'
import { account } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

test('a list to which a thousand rows have come is read anew, and goes on', async () => {
  const { page } = walk.visit
  let read = 0
  let node: object | undefined
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const activity = json.data?.account?.activity
    if (activity) {
      read++
      node = activity.edges[0].node
    }
    await route.fulfill({ response, json })
  })
  let send = (_: number) => {}
  await page.routeWebSocket('**/graphql', (socket) => {
    socket.onMessage((text) => {
      const { type, id, payload } = JSON.parse(String(text))
      if (type === 'connection_init') socket.send(JSON.stringify({ type: 'connection_ack' }))
      if (type !== 'subscribe' || !payload.query.includes('LiveActivity')) return
      send = (number) => {
        const hash = number.toString(16).padStart(64, '0')
        const chain = { chainId: 'galley-1', prettyName: 'Galley' }
        const activity = { cursor: `${number}`, chain, node: { ...node, hash }, notice: null }
        socket.send(JSON.stringify({ id, type: 'next', payload: { data: { activity } } }))
      }
    })
  })
  await page.goto(`${walk.gateway.origin}/address/${account}`)
  const rows = page.locator('.held tbody tr')
  await rows.nth(19).waitFor()
  await expect
    .poll(async () => {
      send(1)
      return await rows.count()
    })
    .toBe(21)
  expect(read).toBe(1)
  for (let number = 2; number <= 1_000; number++) send(number)
  await expect.poll(() => read, { timeout: 15_000 }).toBe(2)
  await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(20)
  await expect
    .poll(async () => {
      send(1_001)
      return await rows.count()
    })
    .toBe(21)
  expect(walk.visit.faults).toEqual([])
})
