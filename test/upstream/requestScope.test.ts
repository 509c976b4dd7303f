import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Upstream } from '../../src/upstream/client.ts'
import { get, post } from '../../src/upstream/request.ts'
import { createLoader, createRequestScope } from '../../src/upstream/requestScope.ts'
import { scopeSources } from '../support/scopeSources.ts'

const never = new AbortController().signal
const sources = scopeSources()
const value = z.string()

/** An upstream whose response to a request is the target of the request. */
function echo(service = 'evm-1') {
  const sent: string[] = []
  const upstream: Upstream = {
    service,
    source: service,
    async send(request) {
      sent.push(request.target)
      if (request.target === '/fail') throw 'text'
      return request.target === '/missing' ? null : request.read(request.target, '')
    },
  }
  return { upstream, sent }
}

test('a scope takes the items from the lists that it holds when it closes', () => {
  const scope = createRequestScope(never, sources)
  const early = scope.releaseAtEnd({ items: [1, 2], name: 'a' })
  expect(early).toEqual({ items: [1, 2], name: 'a' })
  scope.close()
  expect(early).toEqual({ items: undefined, name: 'a' })
  // Work that nobody waits for can go on.
  const late = scope.releaseAtEnd({ items: [3] })
  expect(late.items).toEqual([3])
})

test('equal requests of one operation are sent once, and those of two operations twice', async () => {
  const { upstream, sent } = echo()
  const scope = createRequestScope(never, sources)
  const request = get('/a', value)
  const both = [scope.fetch(upstream, request), scope.fetch(upstream, get('/a', value))]
  expect(await Promise.all(both)).toEqual(['/a', '/a'])
  expect(await scope.fetch(upstream, request)).toBe('/a')
  expect(sent).toEqual(['/a'])
  await createRequestScope(never, sources).fetch(upstream, request)
  expect(sent).toEqual(['/a', '/a'])
})

test('requests that differ in target, method, body or upstream are all sent', async () => {
  const [first, second] = [echo('a'), echo('b')]
  const scope = createRequestScope(never, sources)
  await Promise.all([
    scope.fetch(first.upstream, get('/a', value)),
    scope.fetch(first.upstream, get('/b', value)),
    scope.fetch(first.upstream, post('/a', '1', String)),
    scope.fetch(first.upstream, post('/a', '2', String)),
    scope.fetch(second.upstream, get('/a', value)),
  ])
  expect([first.sent, second.sent]).toEqual([['/a', '/b', '/a', '/a'], ['/a']])
})

test('a missing record is null, and a failed request rejects for all of its callers alone', async () => {
  const { upstream, sent } = echo()
  const scope = createRequestScope(never, sources)
  const results = await Promise.allSettled([
    scope.fetch(upstream, get('/missing', value)),
    scope.fetch(upstream, get('/fail', value)),
    scope.fetch(upstream, get('/a', value)),
  ])
  expect(results).toEqual([
    { status: 'fulfilled', value: null },
    { status: 'rejected', reason: new Error('text') },
    { status: 'fulfilled', value: '/a' },
  ])
  await expect(scope.fetch(upstream, get('/fail', value))).rejects.toThrow('text')
  expect(sent).toHaveLength(3)
})

test('a scope that is closed has forgotten its responses and values', async () => {
  const { upstream, sent } = echo()
  const scope = createRequestScope(never, sources)
  await scope.fetch(upstream, get('/a', value))
  expect(scope.memo('key', () => 1)).toBe(1)
  const until = scope.freshUntil
  scope.close()
  expect(scope.freshUntil).toBe(until)
  expect(scope.memo('key', () => 2)).toBe(2)
  await scope.fetch(upstream, get('/a', value))
  expect(sent).toEqual(['/a', '/a'])
})

test('a value is made once for each key of an operation', () => {
  const scope = createRequestScope(never, sources)
  const make = () => ({})
  expect(scope.memo('a', make)).toBe(scope.memo('a', make))
  expect(scope.memo('a', make)).not.toBe(scope.memo('b', make))
  expect(scope.memo('a', make)).not.toBe(createRequestScope(never, sources).memo('a', make))
})

/** A loader that records what it loads. */
function recordingLoader(many: (keys: readonly number[]) => ReadonlyMap<string, string>) {
  const calls: unknown[] = []
  const load = createLoader<number, string>({
    keyOf: String,
    async many(keys) {
      calls.push(keys)
      return many(keys)
    },
    async one(key) {
      calls.push(key)
      if (key === 0) throw new Error('failed')
      return `one ${key}`
    },
  })
  return { load, calls }
}

test('a key that cannot be sent costs itself', async () => {
  const load = createLoader<string, string>({
    keyOf: String,
    many: async () => new Map(),
    one(key) {
      if (key === 'odd') throw new Error('It cannot be sent.')
      return Promise.resolve(key)
    },
  })
  expect(await Promise.allSettled([load('odd'), load('even')])).toEqual([
    { status: 'rejected', reason: new Error('It cannot be sent.') },
    { status: 'fulfilled', value: 'even' },
  ])
})

test('a loader loads the keys of one tick at once, each key once', async () => {
  const { load, calls } = recordingLoader(
    (keys) => new Map(keys.map((key) => [`${key}`, `${key}`])),
  )
  expect(await Promise.all([load(1), load(2), load(1)])).toEqual(['1', '2', '1'])
  expect(await load(2)).toBe('2')
  expect(calls).toEqual([[1, 2]])
})

test('a loader loads one by one what it cannot load at once', async () => {
  const { load, calls } = recordingLoader(() => new Map([['1', 'many 1']]))
  const results = await Promise.allSettled([load(1), load(2), load(0)])
  expect(results).toEqual([
    { status: 'fulfilled', value: 'many 1' },
    { status: 'fulfilled', value: 'one 2' },
    { status: 'rejected', reason: new Error('failed') },
  ])
  expect(calls).toEqual([[1, 2, 0], 2, 0])
})

test('a loader loads one by one when it fails to load at once', async () => {
  const { load } = recordingLoader(() => {
    throw new Error('failed')
  })
  expect(await Promise.all([load(1), load(2)])).toEqual(['one 1', 'one 2'])
})
