import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Client, createClient, type Live } from '../src/client.ts'
import '../src/eventStream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new Promise<never>(() => {})
const encoder = new TextEncoder()

/** A stream that begins with a text, and then sends nothing more. */
const silentStream = (beginning = '') => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (beginning) controller.enqueue(encoder.encode(beginning))
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** An answer that never comes. */
const noAnswer = ({ signal }: RequestInit) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

const isQuestion = (init: RequestInit) => String(init.body).includes('{__typename}')

/** A network that answers all but event streams, as behind a proxy that buffers. */
function bufferingFetch(stream: () => Response | Promise<never>, isReachable = () => true) {
  const asked: string[] = []
  const send = async (_: string, init: RequestInit) => {
    const { method = 'GET' } = init
    asked.push(isQuestion(init) ? 'question' : method)
    if (isQuestion(init)) return isReachable() ? new Response('{"data":{}}') : noAnswer(init)
    return stream()
  }
  return { asked, fetch: send as typeof fetch }
}

/** Sockets of a test: those that it lets open, and those that greet. */
function socketsThat(what: 'fail' | 'open' | 'work') {
  const opened: unknown[] = []
  class FakeSocket {
    onopen?: () => void
    onmessage?: (message: { data: string }) => void
    onclose?: (event: { code: number; reason: string }) => void
    constructor() {
      opened.push(this)
      queueMicrotask(() => {
        if (what === 'fail') this.onclose?.({ code: 1006, reason: '' })
        else this.onopen?.()
      })
    }
    send(text: string) {
      const { type } = JSON.parse(text)
      const answers: Record<string, string> = { connection_init: 'connection_ack', ping: 'pong' }
      const answer = answers[type]
      if (what !== 'work' || !answer) return
      queueMicrotask(() => this.onmessage?.({ data: JSON.stringify({ type: answer }) }))
    }
    close() {}
  }
  return { opened, webSocketImpl: FakeSocket as unknown as typeof WebSocket }
}

/** Subscribes, and notes what an app would show. */
function watch(options: { fetch: typeof fetch; webSocketImpl: typeof WebSocket | null }) {
  const client = createClient({ url: 'http://gateway/graphql', retryDelay: () => 100, ...options })
  const live = client.subscribe('subscription { n }', {}, { resume: {} })
  const shown: string[] = []
  client.onStatus(() => {
    const line = [client.status, client.problem?.code].filter(Boolean).join(' ')
    if (shown.at(-1) !== line) shown.push(line)
  })
  live.next().catch(() => {})
  return { client, live, shown }
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

const said = ({ problem }: Client | Live<unknown>) => problem?.message
const message = 'The connection opens, but no event passes: a proxy buffers.'

const heldStreams: [string, () => Response | Promise<never>][] = [
  ['whose head is held', () => never],
  ['whose body is held', () => silentStream()],
]

test.each(heldStreams)('a stream %s for 15 seconds is left for a socket', async (_, stream) => {
  const { fetch } = bufferingFetch(stream)
  const { opened, webSocketImpl } = socketsThat('work')
  // Two sockets fail, and then the network lets them pass.
  let fails = 2
  const Socket = new Proxy(webSocketImpl, {
    construct: (works, args) => new (fails-- > 0 ? socketsThat('fail').webSocketImpl : works)(args[0], args[1]),
  })
  const { client, live, shown } = watch({ fetch, webSocketImpl: Socket })
  await seconds(14)
  expect([shown, opened.length]).toEqual([['offline'], 0])
  await seconds(2)
  expect(shown).toEqual(['offline', 'offline BUFFERED', 'live'])
  expect([opened.length, client.problem]).toEqual([1, undefined])
  await live.return()
})

test.each(heldStreams)('without sockets, a stream %s says why', async (_, stream) => {
  const { fetch } = bufferingFetch(stream)
  const { client, live, shown } = watch({ fetch, webSocketImpl: null })
  await seconds(16)
  expect([said(client), said(live)]).toEqual([message, message])
  // It is tried again, and known meanwhile.
  await seconds(40)
  expect(shown).toEqual(['offline BUFFERED'])
  await live.return()
  expect(client.problem).toBeUndefined()
})

test('a stream that passes later says so no more', async () => {
  let isHeld = true
  const passing = () => silentStream(':\n\n')
  const { fetch } = bufferingFetch(() => (isHeld ? never : passing()))
  const { live, shown } = watch({ fetch, webSocketImpl: null })
  await seconds(15)
  isHeld = false
  await seconds(1)
  expect(shown).toEqual(['offline BUFFERED', 'live'])
  await live.return()
})

test('a stream of which only the beginning passes is held too', async () => {
  const { fetch } = bufferingFetch(() => silentStream(':\n\n'))
  const { live, shown } = watch({ fetch, webSocketImpl: null })
  await seconds(31)
  expect(shown.slice(0, 2)).toEqual(['live', 'offline BUFFERED'])
  await live.return()
})

test('a gateway that answers nothing is not called buffered', async () => {
  const { asked, fetch } = bufferingFetch(
    () => never,
    () => false,
  )
  const { client, live, shown } = watch({ fetch, webSocketImpl: null })
  await seconds(25)
  expect(asked.slice(0, 3)).toEqual(['POST', 'question', 'POST'])
  expect([shown, client.problem]).toEqual([['offline'], undefined])
  await live.return()
})

test('a socket that opens but passes nothing is left for event streams', async () => {
  const { fetch } = bufferingFetch(() => silentStream(':\n\n'))
  const { opened, webSocketImpl } = socketsThat('open')
  const { live, shown } = watch({ fetch, webSocketImpl })
  await seconds(15)
  expect(shown).toEqual(['offline BUFFERED', 'live'])
  expect(opened).toHaveLength(1)
  await live.return()
})

test('where neither passes, both are tried in turn, and the client says why', async () => {
  const { asked, fetch } = bufferingFetch(() => never)
  const { opened, webSocketImpl } = socketsThat('open')
  const { client, live, shown } = watch({ fetch, webSocketImpl })
  await seconds(60)
  expect(said(client)).toBe(message)
  expect(shown).toEqual(['offline BUFFERED'])
  expect([opened.length, asked.filter((one) => one === 'POST').length]).toEqual([3, 2])
  await live.return()
})
