import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  integer,
  list,
  pageOf,
  quantity,
  readable,
  stringOrEmpty,
  stringOrNull,
  timestamp,
  UnreadableRecord,
  unwrapped,
} from '../../../src/engine/wire/decode.ts'
import { parseJson } from '../../../src/engine/wire/exactJson.ts'
import {
  chainIdString,
  isJsonObject,
  jsonObject,
  lenient,
  lenientAmount,
  lenientBoolean,
  lenientCount,
  lenientDecimals,
  lenientList,
  lenientLossPercent,
  lenientNumber,
  lenientString,
  lenientStrings,
  lenientTimestamp,
} from '../../../src/engine/wire/lenient.ts'
import { optional, unreadable } from '../../../src/engine/wire/optional.ts'

const invalid = Symbol('invalid')
const read = (schema: z.ZodType, input: unknown) => {
  const result = schema.safeParse(input)
  return result.success ? result.data : invalid
}

/** What a schema reads texts to, what it reads other values to, and what it refuses. */
interface Readings {
  readonly texts?: Readonly<Record<string, unknown>>
  readonly others?: readonly (readonly [unknown, unknown])[]
  readonly refused?: readonly unknown[]
}
const is = (input: unknown, output: unknown) => [input, output] as const
const time = '2026-11-21T12:00:00Z'

test.each<[string, z.ZodType, Readings]>([
  [
    'an integer is a decimal string or a number, with all its digits',
    integer,
    {
      texts: { 12: 12n, '-9223372036854775808': -9223372036854775808n },
      others: [
        ...[is(12, 12n), is(2 ** 53, 2n ** 53n), is(parseJson('1e23'), 10n ** 23n)],
        is('9'.repeat(78), BigInt('9'.repeat(78))),
        is(parseJson('9007199254740993'), 9007199254740993n),
        is(parseJson('12345678901234567890e1'), 123456789012345678900n),
        is(parseJson(`-${2n ** 200n}`), -(2n ** 200n)),
      ],
      refused: [
        ...['9'.repeat(79), JSON.parse('9'.repeat(400)), parseJson('1234567890123456.5')],
        ...[1.5, '1.5', '0x1', '', null],
      ],
    },
  ],
  [
    'an optional integer is null when it is missing, and marked when it is malformed',
    optional(integer),
    {
      texts: { 12: 12n, '': null, many: unreadable },
      others: [is(null, null), is({}, unreadable)],
    },
  ],
  [
    'a quantity is hex or decimal, and null when it is empty',
    quantity,
    {
      texts: { '0xff': 255n, '0x0': 0n, '0xff0': 4080n, '0x': null, '': null, 12: 12n },
      others: [is(12, 12n), is(`0x${'f'.repeat(64)}`, 2n ** 256n - 1n)],
      refused: ['0xzz', `0x${'f'.repeat(65)}`, '9'.repeat(79)],
    },
  ],
  [
    'a list is empty when it is null or missing',
    list(z.number()),
    { others: [is([1, 2], [1, 2]), is(null, []), is(undefined, [])], refused: [['1']] },
  ],
  [
    'text is empty when it is null or missing',
    stringOrEmpty,
    { texts: { a: 'a' }, others: [is(null, ''), is(undefined, '')], refused: [1] },
  ],
  [
    'empty text is null where it means that there is none',
    stringOrNull,
    { texts: { a: 'a', '': null }, others: [is(undefined, null)], refused: [1] },
  ],
  [
    'a timestamp is in UTC, and keeps the digits below the millisecond',
    timestamp,
    {
      texts: {
        [time]: time,
        '2026-11-21T12:00:00.123456789Z': '2026-11-21T12:00:00.123456789Z',
        '2026-11-21T12:00:00.123456789+02:00': '2026-11-21T10:00:00.123456789Z',
        '2026-11-21T12:00:00-01:30': '2026-11-21T13:30:00Z',
        '2028-02-29T23:59:59.5Z': '2028-02-29T23:59:59.5Z',
        '2026-12-31T00:00:00z': '2026-12-31T00:00:00Z',
        // Without a zone it is UTC, wherever the gateway runs.
        '2026-11-01T00:00:00': '2026-11-01T00:00:00Z',
        '2026-11-01T00:00:00.123': '2026-11-01T00:00:00.123Z',
      },
      refused: [
        ...['2026-02-30T00:00:00Z', '2027-02-29T00:00:00+01:00', '2026-11-01 00:00:00Z'],
        ...['Nov 1 2026 00:00:00Z', '2026-11-01Z', '2026-11-01T25:00:00Z', 'yesterday'],
        ...['2026-11-01T00:00:00+0100', '2026-11-01T00:00Z'],
      ],
    },
  ],
  [
    'a chain id is text or a whole number',
    chainIdString,
    { texts: { 'evm-1': 'evm-1' }, others: [is(1, '1')], refused: ['', 1.5] },
  ],
  [
    'a lenient string is text, or a number as text',
    lenientString,
    {
      texts: { a: 'a', '': null },
      others: [is(0, '0'), is(undefined, null), is(true, unreadable)],
    },
  ],
  [
    'lenient strings leave out what is not text',
    lenientStrings,
    { texts: { a: [] }, others: [is(['a', '', null, {}, 1], ['a', '1']), is(null, [])] },
  ],
  [
    'a lenient amount is unreadable when it is malformed, negative or of more than 256 bits',
    lenientAmount,
    {
      texts: { 12: 12n, '-1': unreadable, '1.5': unreadable },
      others: [
        ...[is(0, 0n), is(undefined, null), is(String(2n ** 256n), unreadable)],
        is(String(2n ** 256n - 1n), 2n ** 256n - 1n),
      ],
    },
  ],
  [
    'a lenient boolean is true only if it is true or its text',
    lenientBoolean,
    {
      texts: { true: true, false: false, yes: false },
      others: [is(true, true), is(false, false), is(1, false), is(undefined, false)],
    },
  ],
  [
    'a lenient number is a number or its decimal text',
    lenientNumber,
    {
      texts: { '-1.5': -1.5, 0: 0, '1e3': unreadable, '': null },
      others: [is(1.5, 1.5), is(null, null)],
    },
  ],
  [
    'a lenient count is unreadable below 0, beyond 32 bits and for fractions',
    lenientCount,
    {
      texts: { 18: 18, '-1': unreadable, '1.5': unreadable, 2147483648: unreadable },
      others: [is(0, 0), is(2 ** 31 - 1, 2 ** 31 - 1), is(2 ** 31, unreadable), is(-1, unreadable)],
    },
  ],
  [
    'decimal places are unreadable beyond 0 to 77, which 256 bits hold',
    lenientDecimals,
    {
      texts: { 77: 77, 78: unreadable, '-1': unreadable, '6.5': unreadable },
      others: [is(0, 0), is(78, unreadable), is(-1, unreadable), is(6.5, unreadable)],
    },
  ],
  [
    'a loss is at most 100 percent, and a gain may be more',
    lenientLossPercent,
    { texts: { 100: '100', '100.1': unreadable, '-250': '-250' }, others: [is(null, null)] },
  ],
  [
    'a lenient timestamp is unreadable when it is malformed',
    lenientTimestamp,
    { texts: { [time]: time, soon: unreadable }, others: [is(undefined, null)] },
  ],
  [
    'a lenient schema is unreadable where it fails',
    z.object({ a: lenient(z.number()) }),
    { others: [is({ a: 1 }, { a: 1 }), is({ a: 'x' }, { a: unreadable }), is({}, { a: null })] },
  ],
  [
    'a lenient list leaves out the items that it cannot read',
    lenientList(z.number()),
    { others: [is([1, 'x', 2], [1, 2]), is(null, []), is({}, [])] },
  ],
  [
    'a JSON object is neither a list nor a plain value',
    jsonObject,
    { others: [is({ a: 1 }, { a: 1 })], refused: [[1], null, 'a'] },
  ],
])('%s', (_, schema, { texts = {}, others = [], refused = [] }) => {
  const expected = [...Object.entries(texts), ...others, ...refused.map((each) => is(each, invalid))]
  expect(expected.map(([input]) => is(input, read(schema, input)))).toEqual(expected)
})

test('isJsonObject is false for lists and null', () => {
  expect([{}, [], null, 'a'].map(isJsonObject)).toEqual([true, false, false, false])
})

test('unwrapped reads a bare record, or one wrapped in any field', () => {
  const record = unwrapped('id', z.object({ id: z.string() }))
  expect(read(record, { id: 'a' })).toEqual({ id: 'a' })
  expect(read(record, { other: [{ id: 'a' }], item: { id: 'a' } })).toEqual({ id: 'a' })
  expect(read(record, { item: {} })).toBe(invalid)
  expect(read(record, null)).toBe(invalid)
})

test('pageOf reads items, next key and total', () => {
  const page = pageOf('items', z.number())
  const pagination = { next_key: 'k', total: '7' }
  expect(read(page, { items: [1], pagination })).toEqual({ items: [1], nextKey: 'k', total: 7n })
  const last = { items: [1], nextKey: null, total: null }
  expect(read(page, { items: [1] })).toEqual(last)
  expect(read(page, { items: [1], pagination: { next_key: '', total: 'x' } })).toEqual({
    ...last,
    total: unreadable,
  })
  expect(read(page, { items: [1], pagination: { next_key: 0 } })).toEqual({ ...last, nextKey: '0' })
  expect(read(page, { items: null, pagination: null })).toEqual({ ...last, items: [] })
  expect(read(page, { pagination })).toEqual({ items: [], nextKey: 'k', total: 7n })
})

test('pageOf refuses a body without a list', () => {
  const page = pageOf('items', z.number())
  expect(read(page, { other: [] })).toBe(invalid)
  expect(read(page, { items: 'none' })).toBe(invalid)
})

test('an unreadable record is marked with its reason, and others are read', () => {
  const page = pageOf('items', z.object({ id: z.object({ n: z.number() }) }))
  const good = { id: { n: 1 } }
  const { items } = page.parse({ items: [good, { id: { n: 'x' } }, null, good] })
  expect(items).toEqual([good, expect.any(UnreadableRecord), expect.any(UnreadableRecord), good])
  expect(items[1]).toHaveProperty('message', expect.stringMatching(/^id\.n: .*number/))
  expect(readable(items)).toEqual([good, good])
})

test('zod explains only the first of many unreadable records', () => {
  const record = z.object({ parts: z.array(z.number()) })
  let explained = 0
  const counted = Object.assign(record, {
    safeParse: (...args: Parameters<typeof record.safeParse>) => {
      explained += 1
      return z.safeParse(record, ...args)
    },
  })
  const wrong = { parts: Array.from({ length: 500 }, () => 'x') }
  const { items } = read(pageOf('items', counted), {
    items: Array.from({ length: 1_000 }, () => wrong),
  }) as { items: unknown[] }
  expect(items).toHaveLength(1_000)
  for (const item of items) expect(item).toBeInstanceOf(UnreadableRecord)
  expect(items[0]).toHaveProperty('message', expect.stringMatching(/^parts\.0: /))
  expect(items[999]).toHaveProperty('message', '')
  expect(explained).toBeLessThan(10)
})

test('numbers of millions of digits are refused quickly', () => {
  const digits = '9'.repeat(15_000_000)
  const started = process.cpuUsage()
  for (const schema of [integer, quantity, lenientAmount, lenientNumber, lenientCount]) {
    expect([invalid, unreadable, null]).toContain(read(schema, digits))
  }
  expect(read(quantity, `0x${digits}`)).toBe(invalid)
  const { user, system } = process.cpuUsage(started)
  // Reading such an integer takes ten seconds.
  expect((user + system) / 1_000).toBeLessThan(2_000)
})
