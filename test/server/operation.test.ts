import type { DocumentNode, ExecutionResult } from 'graphql'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { OperationEvent } from '../../src/engine/telemetry/telemetry.ts'
import { createFairScheduler } from '../../src/kit/clock/fairScheduler.ts'
import type { Signal } from '../../src/kit/clock/signal.ts'
import { createCompiledExecutor } from '../../src/server/operation/compiled/compiledExecutor.ts'
import type { Executor, ExecutorArgs } from '../../src/server/operation/compiled/executor.ts'
import { requestError } from '../../src/server/operation/formatError.ts'
import type { OperationResult } from '../../src/server/operation/operation.ts'
import { Pipeline } from '../../src/server/operation/pipeline.ts'
import type { Sender } from '../../src/server/operation/sender.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { testClient } from '../support/testClient.ts'
import { createStage, testServices } from '../support/testServer.ts'

/** A pipeline without a transport, whose executor and telemetry record what they receive. */
function startPipeline(replacement?: Executor) {
  const { schema, stage } = createStage()
  const clock = fakeClock()
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const executed: ExecutorArgs[] = []
  const subscribed: ExecutorArgs[] = []
  const actual = replacement ?? createCompiledExecutor(schema)
  const executor: Executor = {
    execute(args) {
      executed.push(args)
      return actual.execute(args)
    },
    subscribe(args) {
      subscribed.push(args)
      return actual.subscribe(args)
    },
  }
  const events: OperationEvent[] = []
  const open = { subscriptions: 0 }
  const services = testServices({
    ...{ schema, clock, log },
    limits: { timeoutMs: 1_000, maxAnswerBytes: 65_536 },
  })
  const pipeline = new Pipeline({
    ...services,
    executor,
    telemetry: {
      onOperation: (event) => void events.push(event),
      onSubscription() {
        open.subscriptions += 1
        return () => {
          open.subscriptions -= 1
        }
      },
    },
  })
  const controller = new AbortController()
  const run = (query: string, sender: Partial<Sender> = {}, variables = {}) =>
    pipeline.run({ query, variables }, { client: testClient('a'), signal: controller.signal, ...sender })
  const documents = () => services.shared.cache.open<DocumentNode>({ name: 'documents', maxEntries: 1 }).size
  return { run, stage, clock, lines, executed, subscribed, events, open, controller, documents }
}

/** The results of a subscription. */
function streamOf(result: OperationResult): AsyncIterableIterator<ExecutionResult> {
  if (!('next' in result)) throw new Error(`not a stream: ${JSON.stringify(result)}`)
  return result
}

const errorsOf = (result: OperationResult) => ('errors' in result ? result.errors : undefined)

test('queries, mutations and subscription events run on one executor', async () => {
  const { run, stage, executed, subscribed } = startPipeline()
  await run('{ hello }')
  await run('mutation { touch }')
  expect(executed).toHaveLength(2)
  expect(subscribed).toHaveLength(0)
  const stream = streamOf(await run('subscription { ticks }'))
  expect(subscribed).toHaveLength(1)
  for (const tick of [1, 2]) {
    const next = stream.next()
    stage.tick(tick)
    expect((await next).value).toEqual({ data: { ticks: tick } })
  }
  expect(executed.map(({ rootValue }) => rootValue)).toEqual([undefined, undefined, 1, 2])
  const scopes = executed.map(({ context }) => context.scope)
  expect(new Set(scopes).size).toBe(4)
  await stream.return?.()
})

test('about ten heavy operations run at once, and light ones do not wait', async () => {
  const { run, stage, executed } = startPipeline()
  const all = Array.from({ length: 14 }, () => run('{ slow items(first: 6400) { hello } }'))
  expect(executed).toHaveLength(10)
  expect(await run('{ hello }')).toEqual({ data: { hello: 'Hello, you!' } })
  stage.release()
  await Promise.all(all.slice(0, 10))
  stage.release()
  expect(await Promise.all(all)).toHaveLength(14)
  expect(executed).toHaveLength(15)
})

test('the deadline of an operation includes its time in the queue', async () => {
  const { run, clock, stage } = startPipeline()
  const heavy = '{ slow items(first: 6400) { hello } }'
  const first = Array.from({ length: 10 }, () => run(heavy))
  const late = run(heavy)
  await clock.advance(400)
  stage.release()
  await Promise.all(first)
  await stage.running(11)
  await clock.advance(599)
  expect(stage.signals.some(({ aborted }) => aborted)).toBe(false)
  await clock.advance(1)
  expect(errorsOf(await late)).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT' } }])
})

test('an operation that cannot start in time is refused with retryAfter', async () => {
  const { run, clock, executed, stage } = startPipeline()
  const heavy = '{ slow items(first: 6400) { hello } }'
  const first = Array.from({ length: 10 }, () => run(heavy))
  await clock.advance(500)
  // It had arrived 600 ms before, so it has 400 ms left.
  const late = run(heavy, { arrivedAt: clock.now() - 600 })
  await clock.advance(399)
  const refused = late.then(errorsOf)
  await clock.advance(1)
  expect(await refused).toMatchObject([{ extensions: { code: 'RATE_LIMITED', retryAfter: 5, http: { status: 503 } } }])
  expect(executed).toHaveLength(10)
  stage.release()
  await Promise.all(first)
  expect(executed).toHaveLength(10)
})

test('a request that waited longer than its timeout is refused before parsing', async () => {
  const { run, clock, executed, documents } = startPipeline()
  await clock.advance(2_000)
  const result = await run('{ hello }', { arrivedAt: clock.now() - 1_000 })
  expect(errorsOf(result)).toMatchObject([{ extensions: { code: 'RATE_LIMITED', retryAfter: 5 } }])
  expect(documents()).toBe(0)
  expect(executed).toHaveLength(0)
  expect(await run('{ hello }', { arrivedAt: clock.now() - 999 })).toMatchObject({ data: {} })
})

test('a subscription over the limit is refused before its source opens', async () => {
  const { run, subscribed, events } = startPipeline()
  const full = requestError('Too many.', 'RATE_LIMITED')
  const result = await run('subscription { ticks }', { reserve: () => full })
  expect(errorsOf(result)).toMatchObject([{ message: 'Too many.' }])
  expect(subscribed).toHaveLength(0)
  expect(events).toMatchObject([{ type: 'subscription', outcome: 'RATE_LIMITED' }])
})

test('a stream slot is reserved only for a valid subscription', async () => {
  const { run } = startPipeline()
  let reserved = 0
  const reserve = () => {
    reserved += 1
    return undefined
  }
  await run('{ hello }', { reserve })
  await run('mutation { touch }', { reserve })
  await run('subscription { nothing }', { reserve })
  await run('subscription ($n: Int!) { ticks @skip(if: false) }', { reserve }, { n: 'x' })
  expect(reserved).toBe(0)
  await streamOf(await run('subscription { ticks }', { reserve })).return?.()
  expect(reserved).toBe(1)
})

test('a disallowed operation type is neither validated nor executed', async () => {
  const { run, executed, documents } = startPipeline()
  const types: string[] = []
  const refuse: Sender['refuse'] = (type) => {
    types.push(type)
    return type === 'mutation' ? requestError('No mutations.', 'BAD_USER_INPUT') : undefined
  }
  const result = await run('mutation { nothing }', { refuse })
  expect(errorsOf(result)).toMatchObject([{ message: 'No mutations.' }])
  expect(executed).toHaveLength(0)
  expect(documents()).toBe(0)
  expect(await run('{ hello }', { refuse })).toEqual({ data: { hello: 'Hello, you!' } })
  expect(types).toEqual(['mutation', 'query'])
})

test('a valid document is cached, and an invalid one is not', async () => {
  const { run, executed, documents } = startPipeline()
  await run('{ nothing }')
  await run('{')
  expect(documents()).toBe(0)
  await run('{ hello }')
  await run('{ hello }')
  expect(documents()).toBe(1)
  expect(executed[0]?.document).toBe(executed[1]?.document)
  expect(errorsOf(await run('{ nothing }'))).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
})

test('each event of a subscription has the full timeout', async () => {
  const { run, stage, clock, executed } = startPipeline()
  const stream = streamOf(await run('subscription { ticks }'))
  for (const tick of [1, 2]) {
    await clock.advance(900)
    const next = stream.next()
    stage.tick(tick)
    expect((await next).value).toEqual({ data: { ticks: tick } })
  }
  await clock.advance(10_000)
  expect(executed.map(({ context }) => context.scope.signal.aborted)).toEqual([false, false])
  await stream.return?.()
})

test('the scope of an event is aborted when the client leaves', async () => {
  const { schema, stage } = createStage()
  let start = (_signal: Signal) => {}
  const started = new Promise<Signal>((resolve) => {
    start = resolve
  })
  const { run, controller } = startPipeline({
    subscribe: createCompiledExecutor(schema).subscribe,
    execute({ context: { scope } }) {
      start(scope.signal)
      return new Promise(() => {})
    },
  })
  const stream = streamOf(await run('subscription { ticks }'))
  void stream.next()
  stage.tick(1)
  const signal = await started
  expect(signal.aborted).toBe(false)
  controller.abort()
  expect(signal.aborted).toBe(true)
})

test('subscription events run through the scheduler of the client', async () => {
  const clients: string[] = []
  const scheduler = {
    ...createFairScheduler(fakeClock()),
    run<T>(client: string, work: () => T) {
      clients.push(client)
      return work()
    },
  }
  const { run, stage } = startPipeline()
  const stream = streamOf(await run('subscription { ticks }', { client: testClient('b', { scheduler }) }))
  expect(clients).toEqual([])
  const next = stream.next()
  stage.tick(1)
  await next
  expect(clients).toEqual(['b'])
  await stream.return?.()
})

test('a subscription whose source fails costs points', async () => {
  const spent: [string, number][] = []
  const budget = {
    charge: () => undefined,
    left: () => 0,
    spend: (client: string, points: number) => void spent.push([client, points]),
  }
  const { run, stage } = startPipeline()
  const next = streamOf(await run('subscription { ticks }', { client: testClient('a', { budget }) })).next()
  expect(spent).toEqual([])
  stage.end(new Error('secret'))
  await expect(next).rejects.toThrow()
  expect(spent).toEqual([['a', 20]])
})

test('a source error is formatted, and logged once', async () => {
  const { run, stage, lines, open } = startPipeline()
  const stream = streamOf(await run('subscription { ticks }'))
  expect(open.subscriptions).toBe(1)
  const next = stream.next()
  stage.end(new Error('secret'))
  await expect(next).rejects.toMatchObject({
    message: 'Unexpected error.',
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  })
  expect(await stream.next()).toEqual({ done: true, value: undefined })
  expect(lines.filter(({ level }) => Number(level) >= 40)).toHaveLength(1)
  expect(open.subscriptions).toBe(0)
})

test('an operation whose client leaves is cancelled, and is not logged', async () => {
  const { run, stage, lines, events, controller } = startPipeline()
  const result = run('query Slow { slow }')
  await stage.running(1)
  controller.abort()
  await result
  expect(stage.signals[0]?.aborted).toBe(true)
  expect(lines).toEqual([])
  expect(events).toMatchObject([{ type: 'query', name: 'Slow', outcome: 'CANCELLED' }])
})

test('every operation is reported once with its duration', async () => {
  const { run, stage, clock, events } = startPipeline()
  for (const query of ['{', '{ nothing }', 'fragment a on Query { hello }']) await run(query)
  await run('{ items(first: 1000000) { hello } }')
  const slow = run('{ slow }')
  await stage.running(1)
  await clock.advance(250)
  stage.release()
  await slow
  expect(events).toMatchObject([
    { type: 'none', name: undefined, outcome: 'GRAPHQL_PARSE_FAILED', seconds: 0 },
    { type: 'none', name: undefined, outcome: 'GRAPHQL_VALIDATION_FAILED', seconds: 0 },
    { type: 'none', name: undefined, outcome: 'BAD_USER_INPUT', seconds: 0 },
    { type: 'query', name: undefined, outcome: 'QUERY_TOO_COMPLEX', seconds: 0 },
    { type: 'query', name: undefined, outcome: 'ok', seconds: 0.25, cost: 1 },
  ])
})

test('an operation is charged before it runs, and refused if points are missing', async () => {
  let left = 3
  const budget = {
    spend() {},
    charge(client: string, points: number) {
      expect(client).toBe('a')
      if (points > left) return requestError('Too many points.', 'RATE_LIMITED', { status: 429 })
      left -= points
      return undefined
    },
    left: () => left,
  }
  const { run, executed } = startPipeline()
  const sender = { client: testClient('a', { budget }) }
  expect(errorsOf(await run('{ hello again: hello }', sender))).toBeUndefined()
  const refused = await run('{ hello again: hello }', sender)
  expect(errorsOf(refused)?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED' })
  expect([left, executed.length]).toEqual([1, 1])
})
