import { expect, test } from 'vitest'
import { typedKey } from '../../../src/kit/cache/typedKey.ts'
import { createSignal } from '../../../src/kit/clock/signal.ts'
import type { Call, CallerRequest, Next, Result } from '../../../src/upstream/stages/call.ts'
import { createSharedCalls } from '../../../src/upstream/stages/sharedCalls.ts'

/** Requests of callers, over a rest of the stages that waits for the test. */
function setup() {
  const coalesced: string[] = []
  const calls: { call: Call<never>; end: (value: string) => void; fail: () => void }[] = []
  let kept = 0
  const share = createSharedCalls({
    service: 'evm-1',
    events: { onCoalesced: (service) => void coalesced.push(service) },
    keep(_, decoded) {
      kept += 1
      return { value: decoded?.value ?? null, freshUntil: kept }
    },
  })
  const next: Next = (call, end) =>
    void calls.push({
      call: call as never,
      end: (text) => end({ value: { value: text as never, text, bytes: 1, sentAt: 0 } }),
      fail: () => end({ error: new Error('failed') }),
    })
  const ask = (client: string, method: 'GET' | 'POST' = 'GET') => {
    const signal = createSignal()
    const results: unknown[] = []
    const key = typedKey<Result<string>>('/thing')
    const asked: CallerRequest<string> = {
      request: { method, target: '/thing', route: '/thing', isFinal: false, read: () => '' },
      ...{ key, cacheKey: key, member: { client }, signal },
      resolve: (result) => void results.push(result),
      reject: (error) => void results.push(error),
    }
    share(asked, next)
    return { results, leave: () => signal.abort('left') }
  }
  return { ask, calls, coalesced }
}

test('equal GETs are one call of the first caller, and its response is kept once for all', () => {
  const { ask, calls, coalesced } = setup()
  const [first, second] = [ask('a'), ask('b')]
  expect(calls.map(({ call }) => [call.requester.client, call.client, call.retries])).toEqual([
    ['a', 'a', 0],
  ])
  expect(coalesced).toEqual(['evm-1'])
  calls[0]?.end('x')
  expect([first.results, second.results]).toEqual([
    [{ value: 'x', freshUntil: 1 }],
    [{ value: 'x', freshUntil: 1 }],
  ])
  ask('c')
  expect(calls).toHaveLength(2)
})

test('POSTs are never shared', () => {
  const { ask, calls, coalesced } = setup()
  ask('a', 'POST')
  ask('b', 'POST')
  expect([calls.length, coalesced]).toEqual([2, []])
})

test('an error rejects all callers but those that have left', () => {
  const { ask, calls } = setup()
  const [first, second] = [ask('a'), ask('b')]
  first.leave()
  calls[0]?.fail()
  expect([first.results, second.results]).toEqual([['left'], [new Error('failed')]])
})
