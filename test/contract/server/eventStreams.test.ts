import { expect, test } from 'vitest'
import { fakeClock } from '../../support/fakeClock.ts'
import { type Data, now, startWorld, youngChains } from '../../support/world.ts'

/** A world whose chains grow when the test says so, and whose gateway runs in real time. */
async function startGrowingWorld() {
  const clock = fakeClock()
  const world = await startWorld({
    clock: () => now + clock.now(),
    chains: youngChains(60),
    feeds: { headPace: { intervalMs: 100 } },
  })
  return { clock, world }
}

/** The next events of an event stream, as pairs of id and data. */
async function* eventsOf(body: ReadableStream<Uint8Array>) {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = field('data')
      if (data) yield { id: field('id'), data: JSON.parse(data).data as Data }
    }
  }
}

async function open(url: string, query: string, headers: Record<string, string> = {}) {
  const controller = new AbortController()
  const response = await fetch(`${url}?${new URLSearchParams({ query })}`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  if (!response.body) throw new Error('no body')
  const events = eventsOf(response.body)
  const next = async () => (await events.next()).value
  return { next, leave: () => controller.abort() }
}

const address = '0x0000000000000000000000000000000000000001'

test('an event stream has ids, and Last-Event-ID resumes after one', async () => {
  const { clock, world } = await startGrowingWorld()
  await using _world = world
  const query = 'subscription { blocks(chainId: "galley-1") { cursor node { height } } }'
  const page = await world.data('{ chain(chainId: "galley-1") { blocks(first: 3) { edges { cursor } } } }')
  const first = await open(world.url, query, {
    'last-event-id': page.chain.blocks.edges[2].cursor,
  })
  const [one, two] = [await first.next(), await first.next()]
  expect([one?.data.blocks.node.height, two?.data.blocks.node.height]).toEqual([59, 60])
  expect([one?.id, two?.id]).toEqual([one?.data.blocks.cursor, two?.data.blocks.cursor])
  first.leave()
  await clock.advance(6_000)
  const second = await open(world.url, query, { 'last-event-id': two?.id ?? '' })
  const heights = []
  for (let i = 0; i < 3; i += 1) heights.push((await second.next())?.data.blocks.node.height)
  expect(heights).toEqual([61, 62, 63])
  second.leave()
})

test('an invalid Last-Event-ID is refused', async () => {
  const { world } = await startGrowingWorld()
  await using _world = world
  const query = `subscription { activity(address: "${address}") { cursor } }`
  const response = await fetch(`${world.url}?${new URLSearchParams({ query })}`, {
    headers: { accept: 'text/event-stream', 'last-event-id': 'x' },
  })
  expect(await response.text()).toContain('BAD_USER_INPUT')
})
