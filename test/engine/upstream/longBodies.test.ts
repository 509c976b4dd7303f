import { expect, test } from 'vitest'
import { z } from 'zod'
import { get } from '../../../src/engine/upstream/request.ts'
import type { FairScheduler } from '../../../src/kit/clock/fairScheduler.ts'
import { SignalSource } from '../../../src/kit/clock/signal.ts'
import { errorOf, never, startClient } from '../../support/upstreamClient.ts'

const list = z.object({ items: z.array(z.string()) })

/** A list of so many bytes, roughly. */
const bodyOf = (bytes: number) => ({ items: Array.from({ length: bytes / 16 }, (_, i) => String(i).padStart(13, '0')) })

/** A scheduler that says whose pieces it has run. A piece waits if the test says so. */
function startScheduler(waiting = false) {
  const turns: string[] = []
  const held: (() => void)[] = []
  const scheduler: FairScheduler = {
    waiting: 0,
    async run(client, work) {
      if (waiting) await new Promise<void>((resume) => held.push(resume))
      turns.push(client)
      return work()
    },
  }
  return { scheduler, turns, held }
}

function startBeside(body: unknown, status?: number, bodies = startScheduler()) {
  const heavy = startScheduler()
  const client = startClient((attempt) => attempt.answer(body, status), {
    scheduler: heavy.scheduler,
    bodyScheduler: bodies.scheduler,
  })
  return { ...client, heavy: heavy.turns, bodies: bodies.turns }
}

const request = get('/list', list)

test.each([
  ['short', 200 * 1024, 0],
  ['longer than others', 300 * 1024, 1],
])('a body is read without a pause: %s', async (_, bytes, turns) => {
  const { send, bodies, heavy } = startBeside(bodyOf(bytes))
  expect(await send(request, never, { client: 'a' })).toEqual(bodyOf(bytes))
  expect([bodies, heavy]).toEqual([Array(turns).fill('a'), []])
})

test('a very long body is read in many turns of its client', async () => {
  const { send, bodies, heavy } = startBeside(bodyOf(2 * 2 ** 20))
  expect(await send(request, never, { client: 'a' })).toEqual(bodyOf(2 * 2 ** 20))
  expect(heavy).toEqual([])
  expect(new Set(bodies)).toEqual(new Set(['a']))
  expect(bodies.length).toBeGreaterThan(30)
})

test('that of a heavy request is read in turns of heavy requests', async () => {
  const { send, bodies, heavy } = startBeside(bodyOf(2 * 2 ** 20))
  await send(request, never, { client: 'a', isHeavy: true })
  expect(bodies).toEqual([])
  expect(heavy.length).toBeGreaterThan(30)
})

test.each([
  ['no JSON', JSON.stringify(bodyOf(2 * 2 ** 20)).slice(0, -2)],
  ['another shape', { other: bodyOf(2 * 2 ** 20) }],
])('a very long body that cannot be read is an invalid response: %s', async (_, body) => {
  const { send } = startBeside(body)
  expect(await errorOf(send(request, never))).toMatchObject({ code: 'UPSTREAM_INVALID_RESPONSE' })
})

test('a very long body of an error is not parsed in steps', async () => {
  const { send, bodies } = startBeside(bodyOf(2 * 2 ** 20), 400)
  expect(await errorOf(send(request, never, { client: 'a' }))).toMatchObject({ status: 400 })
  expect(bodies).toEqual(['a'])
})

test('the rest of a body is not read if all callers have left', async () => {
  const held = startScheduler(true)
  const { send } = startBeside(bodyOf(2 * 2 ** 20), 200, held)
  const leaving = new SignalSource()
  const left = errorOf(send(request, leaving, { client: 'a' }))
  expect(held.held).toHaveLength(1)
  leaving.abort('left')
  expect(await left).toBe('left')
  held.held[0]?.()
  await new Promise((resume) => setImmediate(resume))
  expect([held.turns, held.held.length]).toEqual([['a'], 1])
})
