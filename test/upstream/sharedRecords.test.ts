import { expect, test } from 'vitest'
import { SignalSource } from '../../src/kit/clock/signal.ts'
import { sourceOf } from '../../src/upstream/client.ts'
import { get } from '../../src/upstream/request.ts'
import type { SharedRecord, SharedRecords } from '../../src/upstream/stages/peerRecords.ts'
import { deferred } from '../support/deferred.ts'
import { errorOf, never, record, startClient, thing, value } from '../support/upstreamClient.ts'

const ttl = 60_000

/** A client of an upstream that answers 1, with records of other gateways. */
function start(find: SharedRecords['find'], isOpen = true) {
  const looks: string[] = []
  const kept: string[] = []
  /** Records belong to the place that they are from: another indexer of the chain may have others. */
  const here = sourceOf('evm-1', 'http://indexer.test')
  const nameOf = (source: string) => (source === here ? 'evm-1' : source)
  const records: SharedRecords = {
    isOpen,
    find(source, target) {
      looks.push(`${nameOf(source)} ${target}`)
      return find(source, target)
    },
    keep: (source, target, body) => void kept.push(`${nameOf(source)} ${target} ${body}`),
  }
  const client = startClient(
    (attempt) =>
      attempt.line === 'GET /missing'
        ? attempt.answer('tx not found', 404)
        : attempt.answer({ value: 1 }),
    { finalTtl: ttl, records },
  )
  return { ...client, looks, kept }
}

const known =
  (body: string, ageMs = 0) =>
  async (): Promise<SharedRecord> => ({ body, ageMs })
const unknown = async () => undefined

test('a record that another gateway has read is looked up once and not requested', async () => {
  const { send, sent, looks, kept } = start(known('{"value":7}', 20_000))
  const freshness: number[] = []
  const onFresh = (until: number) => void freshness.push(until)
  for (let count = 0; count < 3; count += 1) {
    expect(await send(record, never, undefined, onFresh)).toEqual({ value: 7 })
  }
  // It is dropped when it would be, had this gateway read it.
  expect(freshness).toEqual([40_000, 40_000, 40_000])
  expect([sent, looks, kept]).toEqual([[], ['evm-1 /record'], []])
})

test.each([
  ['that no gateway has read', unknown],
  ['of another shape', known('{"value":"x"}')],
  ['that is not JSON', known('{')],
  ['that has reached its TTL', known('{"value":7}', ttl)],
])('a record %s is requested, and shared with other gateways', async (_, find) => {
  const { send, sent, kept } = start(find)
  expect(await send(record, never)).toEqual({ value: 1 })
  expect([sent, kept]).toEqual([['GET /record'], ['evm-1 /record {"value":1}']])
})

test('responses that may change and missing records are not shared', async () => {
  const { send, looks, kept } = start(known('{"value":7}'))
  for (const request of [thing, get('/page', value, { isFinal: () => true })]) {
    expect(await send(request, never)).toEqual({ value: 1 })
  }
  const closed = start(known('{"value":7}'), false)
  expect(await closed.send(record, never)).toEqual({ value: 1 })
  const empty = start(unknown)
  expect(await empty.send(get('/missing', value, { isFinal: true }), never)).toBeNull()
  expect([looks, kept, closed.looks, empty.kept]).toEqual([[], [], [], []])
})

test('callers of one record share a lookup, and nothing is sent if all have left', async () => {
  const found = deferred<SharedRecord | undefined>()
  const { send, sent, looks } = start(() => found.promise)
  const leaving = new SignalSource()
  const other = get('/other', value, { isFinal: true })
  const left = [errorOf(send(record, leaving)), errorOf(send(other, leaving))]
  const stays = send(record, never)
  leaving.abort('left')
  expect(await Promise.all(left)).toEqual(['left', 'left'])
  found.resolve(undefined)
  expect(await stays).toEqual({ value: 1 })
  expect([sent, looks]).toEqual([['GET /record'], ['evm-1 /record', 'evm-1 /other']])
})

test('sourceOf differs by service and URL, and does not contain the URL', () => {
  const [here, there] = ['https://user:secret@host/a', 'https://user:secret@host/b']
  const sources = [sourceOf('evm-1', here), sourceOf('evm-1', there), sourceOf('evm-2', here)]
  expect(new Set([...sources, sourceOf('evm-1', here)]).size).toBe(3)
  expect(sources[0]).toMatch(/^evm-1@[\w-]{16}$/)
})
