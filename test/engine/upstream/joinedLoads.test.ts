import { expect, test } from 'vitest'
import { GatewayError } from '../../../src/engine/upstream/error.ts'
import { createJoinedLoads } from '../../../src/engine/upstream/joinedLoads.ts'
import { type Signal, SignalSource } from '../../../src/kit/clock/signal.ts'
import { deferred } from '../../support/deferred.ts'

/** Loads that are recorded, and resolve to their keys. `together` waits until the test lets it. */
function startLoads() {
  const calls: string[][] = []
  const gate = deferred<ReadonlyMap<string, string>>()
  const endings: Signal[] = []
  const load = createJoinedLoads<string>({
    together(keys, ending) {
      calls.push([...keys])
      endings.push(ending)
      return gate.promise
    },
    async alone(key) {
      calls.push([key])
      if (key === 'bad') throw new GatewayError('UPSTREAM_REJECTED', 'No.', { service: 'router' })
      return key
    },
  })
  const loadAll = (keys: readonly string[]) => Promise.allSettled(keys.map((key) => load(key, new SignalSource())))
  return { load, loadAll, calls, gate, endings }
}

test('a single key is loaded alone', async () => {
  const { loadAll, calls } = startLoads()
  expect(await loadAll(['a'])).toMatchObject([{ value: 'a' }])
  expect(calls).toEqual([['a']])
})

test('keys missing from the joined response are loaded alone, and fail alone', async () => {
  const { loadAll, calls, gate } = startLoads()
  gate.resolve(new Map([['a', 'together']]))
  const bad = { reason: { code: 'UPSTREAM_REJECTED' } }
  expect(await loadAll(['a', 'bad', 'c'])).toMatchObject([{ value: 'together' }, bad, { value: 'c' }])
  expect(calls).toEqual([['a', 'bad', 'c'], ['bad'], ['c']])
})

test('a joined request that times out is not repeated for each key', async () => {
  const { loadAll, calls, gate } = startLoads()
  gate.reject(new GatewayError('UPSTREAM_TIMEOUT', 'Late.', { service: 'router' }))
  const late = { reason: { code: 'UPSTREAM_TIMEOUT' } }
  expect(await loadAll(['a', 'b'])).toMatchObject([late, late])
  expect(calls).toEqual([['a', 'b']])
})

test('the joined request is aborted when all callers have left', async () => {
  const { load, gate, endings } = startLoads()
  const signals = [new SignalSource(), new SignalSource()]
  const loads = signals.map((signal, index) => load(String(index), signal))
  await new Promise(setImmediate)
  signals[0]?.abort('left')
  expect(endings[0]?.aborted).toBe(false)
  signals[1]?.abort('left')
  expect(endings[0]).toMatchObject({ aborted: true, reason: 'left' })
  gate.reject(new DOMException('The operation was aborted.', 'AbortError'))
  for (const each of await Promise.allSettled(loads)) expect(each.status).toBe('rejected')
})

test('a joined request has at most sixteen keys', async () => {
  const { loadAll, calls, gate } = startLoads()
  gate.resolve(new Map())
  await loadAll(Array.from({ length: 18 }, (_, index) => String(index)))
  expect(calls.slice(0, 2).map(({ length }) => length)).toEqual([16, 2])
})
