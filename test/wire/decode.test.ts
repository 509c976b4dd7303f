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
} from '../../src/wire/decode.ts'
import { parseJson } from '../../src/wire/exactJson.ts'
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
} from '../../src/wire/lenient.ts'
import { optional, unreadable } from '../../src/wire/optional.ts'

const invalid = Symbol('invalid')
const read = (schema: z.ZodType, input: unknown) => {
  const result = schema.safeParse(input)
  return result.success ? result.data : invalid
}

test.each<[string, z.ZodType, [unknown, unknown][]]>([
  [
    'an integer is a decimal string or a number, with all its digits',
    integer,
    [
      ['12', 12n],
      ['-9223372036854775808', -9223372036854775808n],
      [12, 12n],
      ['9'.repeat(78), BigInt('9'.repeat(78))],
      ['9'.repeat(79), invalid],
      [JSON.parse('9'.repeat(400)), invalid],
      [2 ** 53, 2n ** 53n],
      [parseJson('1e23'), 10n ** 23n],
      [parseJson('9007199254740993'), 9007199254740993n],
      [
        parseJson('-115792089237316195423570985008687907853'),
        -115792089237316195423570985008687907853n,
      ],
      [parseJson('1234567890123456.5'), invalid],
      [parseJson('12345678901234567890e1'), 123456789012345678900n],
      [1.5, invalid],
      ['1.5', invalid],
      ['0x1', invalid],
      ['', invalid],
      [null, invalid],
    ],
  ],
  [
    'an optional integer is null when it is missing, and marked when it is malformed',
    optional(integer),
    [
      ['12', 12n],
      [null, null],
      ['', null],
      ['many', unreadable],
      [{}, unreadable],
    ],
  ],
  [
    'a quantity is hex or decimal, and null when it is empty',
    quantity,
    [
      ['0xff', 255n],
      ['0x0', 0n],
      ['0x', null],
      ['', null],
      ['12', 12n],
      [12, 12n],
      ['0xzz', invalid],
      ['0xff0', 4080n],
      [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
      [`0x${'f'.repeat(65)}`, invalid],
      ['9'.repeat(79), invalid],
    ],
  ],
  [
    'a list is empty when it is null or missing',
    list(z.number()),
    [
      [
        [1, 2],
        [1, 2],
      ],
      [null, []],
      [undefined, []],
      [['1'], invalid],
    ],
  ],
  [
    'text is empty when it is null or missing',
    stringOrEmpty,
    [
      ['a', 'a'],
      [null, ''],
      [undefined, ''],
      [1, invalid],
    ],
  ],
  [
    'empty text is null where it means that there is none',
    stringOrNull,
    [
      ['a', 'a'],
      ['', null],
      [undefined, null],
      [1, invalid],
    ],
  ],
  [
    'a timestamp is in UTC, and keeps the digits below the millisecond',
    timestamp,
    [
      ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00Z'],
      ['2026-11-21T12:00:00.123456789Z', '2026-11-21T12:00:00.123456789Z'],
      ['2026-11-21T12:00:00.123456789+02:00', '2026-11-21T10:00:00.123456789Z'],
      ['2026-11-21T12:00:00-01:30', '2026-11-21T13:30:00Z'],
      ['2028-02-29T23:59:59.5Z', '2028-02-29T23:59:59.5Z'],
      ['2026-12-31T00:00:00z', '2026-12-31T00:00:00Z'],
      // Without a zone it is UTC, wherever the gateway runs.
      ['2026-11-01T00:00:00', '2026-11-01T00:00:00Z'],
      ['2026-11-01T00:00:00.123', '2026-11-01T00:00:00.123Z'],
      ['2026-02-30T00:00:00Z', invalid],
      ['2027-02-29T00:00:00+01:00', invalid],
      ['2026-11-01 00:00:00Z', invalid],
      ['Nov 1 2026 00:00:00Z', invalid],
      ['2026-11-01Z', invalid],
      ['2026-11-01T25:00:00Z', invalid],
      ['2026-11-01T00:00:00+0100', invalid],
      ['2026-11-01T00:00Z', invalid],
      ['yesterday', invalid],
    ],
  ],
  [
    'a chain id is text or a whole number',
    chainIdString,
    [
      ['evm-1', 'evm-1'],
      [1, '1'],
      ['', invalid],
      [1.5, invalid],
    ],
  ],
  [
    'a lenient string is text, or a number as text',
    lenientString,
    [
      ['a', 'a'],
      [0, '0'],
      ['', null],
      [undefined, null],
      [true, unreadable],
    ],
  ],
  [
    'lenient strings leave out what is not text',
    lenientStrings,
    [
      [
        ['a', '', null, {}, 1],
        ['a', '1'],
      ],
      [null, []],
      ['a', []],
    ],
  ],
  [
    'a lenient amount is unreadable when it is malformed, negative or of more than 256 bits',
    lenientAmount,
    [
      ['12', 12n],
      [0, 0n],
      ['-1', unreadable],
      [String(2n ** 256n - 1n), 2n ** 256n - 1n],
      [String(2n ** 256n), unreadable],
      [undefined, null],
      ['1.5', unreadable],
    ],
  ],
  [
    'a lenient boolean is true only if it is true or its text',
    lenientBoolean,
    [
      [true, true],
      ['true', true],
      ['false', false],
      [false, false],
      [1, false],
      ['yes', false],
      [undefined, false],
    ],
  ],
  [
    'a lenient number is a number or its decimal text',
    lenientNumber,
    [
      [1.5, 1.5],
      ['-1.5', -1.5],
      ['0', 0],
      ['1e3', unreadable],
      ['', null],
      [null, null],
    ],
  ],
  [
    'a lenient count is unreadable below 0, beyond 32 bits and for fractions',
    lenientCount,
    [
      [2 ** 31 - 1, 2 ** 31 - 1],
      ['18', 18],
      [0, 0],
      [2 ** 31, unreadable],
      [-1, unreadable],
      [1.5, unreadable],
    ],
  ],
  [
    'decimal places are unreadable beyond 0 to 77, which 256 bits hold',
    lenientDecimals,
    [
      [0, 0],
      ['77', 77],
      [78, unreadable],
      [-1, unreadable],
      [6.5, unreadable],
    ],
  ],
  [
    'a loss is at most 100 percent, and a gain may be more',
    lenientLossPercent,
    [
      ['100', '100'],
      ['100.1', unreadable],
      ['-250', '-250'],
      [null, null],
    ],
  ],
  [
    'a lenient timestamp is unreadable when it is malformed',
    lenientTimestamp,
    [
      ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00Z'],
      ['soon', unreadable],
      [undefined, null],
    ],
  ],
  [
    'a lenient schema is unreadable where it fails',
    z.object({ a: lenient(z.number()) }),
    [
      [{ a: 1 }, { a: 1 }],
      [{ a: 'x' }, { a: unreadable }],
      [{}, { a: null }],
    ],
  ],
  [
    'a lenient list leaves out the items that it cannot read',
    lenientList(z.number()),
    [
      [
        [1, 'x', 2],
        [1, 2],
      ],
      [null, []],
      [{}, []],
    ],
  ],
  [
    'a JSON object is neither a list nor a plain value',
    jsonObject,
    [
      [{ a: 1 }, { a: 1 }],
      [[1], invalid],
      [null, invalid],
      ['a', invalid],
    ],
  ],
])('%s', (_, schema, cases) => {
  expect(cases.map(([input]) => read(schema, input))).toEqual(cases.map(([, output]) => output))
})

test('a list and null are not JSON objects', () => {
  expect([{}, [], null, 'a'].map(isJsonObject)).toEqual([true, false, false, false])
})

test('a record is read bare, or from whichever field it is wrapped in', () => {
  const record = unwrapped('id', z.object({ id: z.string() }))
  expect(read(record, { id: 'a' })).toEqual({ id: 'a' })
  expect(read(record, { other: [{ id: 'a' }], item: { id: 'a' } })).toEqual({ id: 'a' })
  expect(read(record, { item: {} })).toBe(invalid)
  expect(read(record, null)).toBe(invalid)
})

test('a page has its items, its next key and its total', () => {
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

test('a body without a list and without pagination is no page', () => {
  const page = pageOf('items', z.number())
  expect(read(page, { other: [] })).toBe(invalid)
  expect(read(page, { items: 'none' })).toBe(invalid)
})

test('a record that cannot be read is marked with the reason, and the others are read', () => {
  const page = pageOf('items', z.object({ id: z.object({ n: z.number() }) }))
  const good = { id: { n: 1 } }
  const { items } = page.parse({ items: [good, { id: { n: 'x' } }, null, good] })
  expect(items).toEqual([good, expect.any(UnreadableRecord), expect.any(UnreadableRecord), good])
  expect(items[1]).toHaveProperty('message', expect.stringMatching(/^id\.n: .*number/))
  expect(readable(items)).toEqual([good, good])
})

test('of many records that cannot be read, zod explains the first ones only', () => {
  const record = z.object({ parts: z.array(z.number()) })
  let explained = 0
  const counted = Object.assign(record, {
    safeParse: (...args: Parameters<typeof record.safeParse>) => {
      explained += 1
      return z.safeParse(record, ...args)
    },
  })
  const wrong = { parts: Array.from({ length: 1_850 }, () => 'x') }
  const { items } = read(pageOf('items', counted), {
    items: Array.from({ length: 1_000 }, () => wrong),
  }) as { items: unknown[] }
  expect(items).toHaveLength(1_000)
  for (const item of items) expect(item).toBeInstanceOf(UnreadableRecord)
  expect(items[0]).toHaveProperty('message', expect.stringMatching(/^parts\.0: /))
  expect(items[999]).toHaveProperty('message', '')
  expect(explained).toBe(3)
})

test('millions of digits are refused at once', () => {
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
