import { buildSchema, parse } from 'graphql'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Context } from '../../../../src/engine/graphql/builder.ts'
import { createErrorLog } from '../../../../src/engine/telemetry/errorLog.ts'
import { createUpstreamHealth } from '../../../../src/engine/telemetry/upstreamHealth.ts'
import { GatewayError } from '../../../../src/engine/upstream/error.ts'
import { systemClock } from '../../../../src/kit/clock/clock.ts'
import { createCompiledExecutor } from '../../../../src/server/operation/compiled/compiledExecutor.ts'
import { createErrorFormatter } from '../../../../src/server/operation/formatError.ts'

const schema = buildSchema('type Query { rows: [Row!]! } type Row { id: Int!, price: Int }')

/** Asks for so many rows. The message of the price of a row is made from its number. */
async function ask(count: number, messageOf: (row: number) => string) {
  const rows = Array.from({ length: count }, (_, id) => ({
    id,
    price: () => {
      throw new GatewayError('UPSTREAM_UNAVAILABLE', messageOf(id), { service: 'router' })
    },
  }))
  const { data, errors = [] } = await createCompiledExecutor(schema).execute({
    document: parse('{ rows { id price } }'),
    ...{ operationName: undefined, variables: {}, rootValue: { rows } },
    // The resolvers of this schema read no context.
    context: {} as Context,
  })
  const log = pino({ level: 'silent' })
  const clock = systemClock
  const health = createUpstreamHealth({ log, clock })
  const format = createErrorFormatter(createErrorLog(log, clock, health))
  return { data, errors: errors.map((error) => format(error).toJSON()) }
}

test('up to a hundred errors are listed separately', async () => {
  const { errors } = await ask(100, () => 'No price.')
  expect(errors.map(({ path }) => path)).toEqual(Array.from({ length: 100 }, (_, row) => ['rows', row, 'price']))
  expect(errors.every(({ extensions }) => extensions?.count === undefined)).toBe(true)
})

test('more than a hundred errors of one cause are grouped with a count', async () => {
  const { data, errors } = await ask(60_000, (row) => (row === 7 ? 'Odd.' : 'No price.'))
  expect(data?.rows).toHaveLength(60_000)
  expect(errors).toEqual([
    expect.objectContaining({
      message: 'No price.',
      path: ['rows', 0, 'price'],
      extensions: { code: 'UPSTREAM_UNAVAILABLE', service: 'router', count: 59_999 },
    }),
    expect.objectContaining({
      message: 'Odd.',
      path: ['rows', 7, 'price'],
      extensions: { code: 'UPSTREAM_UNAVAILABLE', service: 'router' },
    }),
  ])
})

test('more than a hundred different errors are cut off with a count', async () => {
  const { errors } = await ask(5_000, (row) => `No price ${row}.`)
  expect(errors).toHaveLength(100)
  expect(errors.at(-2)?.message).toBe('No price 98.')
  expect(errors.at(-1)?.message).toBe('4901 further errors are not listed.')
})
