import { expect, test } from 'vitest'
import { z } from 'zod'
import { atLeast } from '../../../src/engine/upstream/client.ts'
import { createLoader } from '../../../src/engine/upstream/loader.ts'
import { get, listedIn, post } from '../../../src/engine/upstream/request.ts'
import { RequestScope } from '../../../src/engine/upstream/requestScope.ts'
import { pageOf } from '../../../src/engine/wire/decode.ts'
import { SignalSource } from '../../../src/kit/clock/signal.ts'
import { scopeSources } from '../../support/scopeSources.ts'
import { counting, record, startClient, thing, value } from '../../support/upstreamClient.ts'

const sources = scopeSources()
const openScope = () => new RequestScope(new SignalSource(), sources)

test('releaseAtEnd drops the items of a list when the scope closes', () => {
  const scope = openScope()
  const early = scope.memory.releaseAtEnd({ items: [1, 2], name: 'a' })
  expect(early).toEqual({ items: [1, 2], name: 'a' })
  scope.close()
  expect(early).toEqual({ items: undefined, name: 'a' })
  // Work that nobody waits for can go on.
  expect(scope.memory.releaseAtEnd({ items: [3] }).items).toEqual([3])
})

test('equal requests are sent once per operation', async () => {
  const { upstream, sent } = startClient(counting)
  const scope = openScope()
  const both = [scope.fetch(upstream, thing), scope.fetch(upstream, get('/thing', value))]
  expect(await Promise.all(both)).toEqual([{ value: 1 }, { value: 1 }])
  expect(await scope.fetch(upstream, thing)).toEqual({ value: 1 })
  expect(await openScope().fetch(upstream, thing)).toEqual({ value: 2 })
  expect(sent).toHaveLength(2)
})

test('a record on a page of the operation is not looked up, and on a page of another one it is', async () => {
  const thingOf = z.object({ name: z.string() })
  const pages = pageOf('things', thingOf)
  const things = [{ name: 'a' }, { name: null }, { name: 'b' }]
  const { upstream, sent } = startClient(({ answer }) => answer({ things, name: 'c', pagination: {} }))
  const named = (name: string) =>
    get(`/things/${name}`, thingOf, { listed: listedIn(pages, name, (each) => each.name) })
  const scope = openScope()
  expect(await scope.fetch(upstream, named('c'))).toEqual({ name: 'c' })
  await scope.fetch(upstream, get('/things', pages))
  expect(await scope.fetch(upstream, named('a'))).toEqual({ name: 'a' })
  expect(await scope.fetch(upstream, named('b'))).toEqual({ name: 'b' })
  expect(sent).toHaveLength(2)
  await scope.fetch(atLeast(upstream, 'at 7'), named('a'))
  await openScope().fetch(upstream, named('a'))
  expect(sent).toHaveLength(4)
})

test('requests that differ in target, method, body, mark or upstream are all sent', async () => {
  const [first, second] = [startClient(counting), startClient(counting, { service: 'evm-2' })]
  const scope = openScope()
  const order = (body: string) => post('/thing', body, () => null)
  await Promise.all([
    scope.fetch(first.upstream, thing),
    scope.fetch(first.upstream, get('/other', value)),
    scope.fetch(first.upstream, order('1')),
    scope.fetch(first.upstream, order('2')),
    scope.fetch(atLeast(first.upstream, 'at 7'), thing),
    scope.fetch(atLeast(first.upstream, 'at 7'), thing),
    scope.fetch(second.upstream, thing),
  ])
  const posts = ['POST /thing', 'POST /thing']
  expect(first.sent).toEqual(['GET /thing', 'GET /other', ...posts, 'GET /thing'])
  expect(second.sent).toEqual(['GET /thing'])
})

test('a failed request rejects for all of its callers, and not for other requests', async () => {
  let sent = 0
  const broken = {
    ...{ service: 'evm-1', source: 'evm-1' },
    send() {
      sent += 1
      return Promise.reject('text')
    },
  }
  const { upstream } = startClient(counting)
  const scope = openScope()
  const failed = { status: 'rejected', reason: new Error('text') }
  const ask = () => Promise.allSettled([scope.fetch(broken, thing), scope.fetch(upstream, thing)])
  expect(await ask()).toEqual([failed, { status: 'fulfilled', value: { value: 1 } }])
  expect([(await ask())[0], sent]).toEqual([failed, 1])
})

test('memo makes one value per key and operation until the scope closes', async () => {
  const { upstream, sent } = startClient(counting)
  const scope = openScope()
  const make = () => ({})
  const made = scope.memory.get('a', make)
  expect(scope.memory.get('a', make)).toBe(made)
  expect(scope.memory.get('b', make)).not.toBe(made)
  expect(openScope().memory.get('a', make)).not.toBe(made)
  await scope.fetch(upstream, record)
  const freshUntil = scope.freshness.until
  scope.close()
  expect(scope.freshness.until).toBe(freshUntil)
  expect(scope.memory.get('a', make)).not.toBe(made)
  await scope.fetch(upstream, thing)
  await scope.fetch(upstream, thing)
  scope.close()
  await scope.fetch(upstream, thing)
  expect(sent).toEqual(['GET /record', 'GET /thing', 'GET /thing'])
})

/** A loader that records what it loads. Of key 0 no record can be loaded alone. */
function startLoader(many: (keys: readonly number[]) => ReadonlyMap<string, string>) {
  const calls: unknown[] = []
  const load = createLoader<number, string>({
    keyOf: String,
    async many(keys) {
      calls.push(keys)
      return many(keys)
    },
    one(key) {
      calls.push(key)
      if (key === 0) throw new Error('It cannot be sent.')
      return Promise.resolve(`one ${key}`)
    },
  })
  return { load, calls }
}

test('a loader loads the keys of one tick in one batch, each key once', async () => {
  const { load, calls } = startLoader((keys) => new Map(keys.map((key) => [`${key}`, `${key}`])))
  expect(await Promise.all([load(1), load(2), load(1)])).toEqual(['1', '2', '1'])
  expect(await load(2)).toBe('2')
  expect(calls).toEqual([[1, 2]])
})

test('a loader loads keys missing from a batch one by one, and they fail alone', async () => {
  const { load, calls } = startLoader(() => new Map([['1', 'many 1']]))
  expect(await Promise.allSettled([load(1), load(2), load(0)])).toEqual([
    { status: 'fulfilled', value: 'many 1' },
    { status: 'fulfilled', value: 'one 2' },
    { status: 'rejected', reason: new Error('It cannot be sent.') },
  ])
  expect(calls).toEqual([[1, 2, 0], 2, 0])
})

test('a loader loads keys one by one if the batch fails', async () => {
  const { load } = startLoader(() => {
    throw new Error('failed')
  })
  expect(await Promise.all([load(1), load(2)])).toEqual(['one 1', 'one 2'])
})
