import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { type DocumentNode, type ExecutionResult, execute, parse, validate } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Work } from '../../../../src/kit/clock/work.ts'
import { createCompiledExecutor } from '../../../../src/server/operation/compiled/compiledExecutor.ts'
import { JsonText, resultText } from '../../../../src/server/operation/result.ts'
import { comparable } from '../../../support/comparableResult.ts'
import { createExecutorSchema, type Script } from '../../../support/executorSchema.ts'
import { runs } from '../../../support/property.ts'
import { randomDocument } from '../../../support/randomDocument.ts'

const schema = createExecutorSchema()

// graphql-js leaves the rejections of list items unhandled when a later item fails at once.
let listeners: NodeJS.UnhandledRejectionListener[] = []
beforeAll(() => {
  listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', () => {})
})
afterAll(() => {
  process.removeAllListeners('unhandledRejection')
  for (const listener of listeners) process.on('unhandledRejection', listener)
})

interface Case {
  readonly document: DocumentNode
  readonly variables: Readonly<Record<string, unknown>>
  readonly script: Omit<Script, 'calls'>
}

const rootValue = { plain: 3 }

/** A result without text, with its data read from the text that is sent. */
const parsed = (result: ExecutionResult): ExecutionResult =>
  result.data instanceof JsonText ? { ...result, data: JSON.parse(resultText({ data: result.data })).data } : result

/** The pace of an operation that has to wait at every third place. */
function pausing(): Work {
  let places = 0
  const later = async <T>(work: () => T | Promise<T>) => {
    await nextTurn()
    return work()
  }
  const isLong = () => {
    places += 1
    return places % 3 === 0
  }
  return { isLong, later } as Work
}

async function runBoth({ document, variables, script }: Case) {
  const compiled = createCompiledExecutor(schema)
  const runOnce = async (run: typeof compiled.execute, isText = false) => {
    const calls: string[] = []
    // The resolvers of this schema read the script as their context.
    const context = { ...script, calls } as object as Parameters<typeof run>[0]['context']
    const args = { document, operationName: undefined, variables, context, rootValue }
    const result = parsed(await run({ ...args, isText }))
    // Resolvers that run beside a failed one may be called after the result. How many is chance, so they
    // are awaited, and their order counts only where nothing failed.
    await nextTurn()
    return { result: comparable(result), calls: result.errors ? calls.toSorted() : [...calls] }
  }
  return {
    expected: await runOnce(({ context, variables: variableValues, isText: _, ...args }) =>
      execute({ ...args, schema, variableValues, contextValue: context }),
    ),
    first: await runOnce(compiled.execute),
    again: await runOnce(compiled.execute),
    text: await runOnce(compiled.execute, true),
    textAgain: await runOnce(compiled.execute, true),
    paused: await runOnce((args) => compiled.execute({ ...args, work: pausing() }), true),
  }
}

test('random documents have the results, errors and resolver calls of graphql-js', async () => {
  const seen = { withErrors: 0, withData: 0 }
  const share = fc.constantFrom(0, 0.05, 0.2, 0.5)
  const script = fc.record({ seed: fc.integer(), faults: share, nulls: share, waits: share })
  await fc.assert(
    fc.asyncProperty(fc.integer(), script, async (seed, script) => {
      const { query, variables: all } = randomDocument(schema, seed)
      // A null condition fails the whole document, by a test of its own.
      const variables = { ...all, maybe: all.maybe ?? false }
      const document = parse(query)
      expect(validate(schema, document)).toEqual([])
      const { expected, paused, ...others } = await runBoth({
        document,
        variables,
        script,
      })
      expect(others).toEqual({
        first: expected,
        again: expected,
        text: expected,
        textAgain: expected,
      })
      // Which of several errors below one null is reported depends on their order.
      expect(paused.result.data).toEqual(expected.result.data)
      expect(Boolean(paused.result.errors)).toBe(Boolean(expected.result.errors))
      // Unhandled rejections of this run are reported before the next.
      await nextTurn()
      if (expected.result.errors) seen.withErrors += 1
      if (expected.result.data !== 'null') seen.withData += 1
    }),
    { numRuns: runs(300) },
  )
  // The property means something only if documents both fail and succeed.
  expect(seen.withErrors).toBeGreaterThan(runs(100))
  expect(seen.withData).toBeGreaterThan(runs(100))
})
