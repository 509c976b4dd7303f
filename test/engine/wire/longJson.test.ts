import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allSteps } from '#kit/steps'
import { jsonText, parseJson, partBounds, tooManyParts } from '../../../src/engine/wire/exactJson.ts'
import { parseLongJson } from '../../../src/engine/wire/longJson.ts'
import { runs } from '../../support/property.ts'

/** Characters of a text that is longer than a piece. */
const long = 'x'.repeat(100_000)

/** Fills the texts `~` of a JSON text, so that the lists and objects around them are read in pieces. */
const filled = (text: string): string => text.replaceAll('~', long)

const parseLong = (text: string): unknown => allSteps(parseLongJson(text))

/** A value, its keys in order with all digits, and the prototypes of its parts. The kind of an error. */
function seen(parse: (text: string) => unknown, text: string): unknown {
  try {
    const value = parse(text)
    return { value, written: jsonText(value), prototypes: prototypesOf(value) }
  } catch (error) {
    return error instanceof SyntaxError ? 'syntax' : String(error)
  }
}

function prototypesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return [Object.getPrototypeOf(value), ...Object.values(value).flatMap(prototypesOf)]
}

function expectSame(text: string) {
  const [inSteps, atOnce] = [seen(parseLong, text), seen(parseJson, text)]
  // The whole difference would be megabytes.
  if (!isDeepStrictEqual(inSteps, atOnce)) expect.fail(`read otherwise: ${text.replaceAll(long, '~')}`)
}

test.each([
  ...[
    '[]',
    '{}',
    '1',
    '"a"',
    'null',
    ' [ ] ',
    '',
    ' ',
    '~',
    '"~"',
    ' "~" ',
    '"~',
    '"~" 1',
    '-0',
    '12345678901234567890',
  ],
  ...['["~"]', '["~",]', '[,"~",1]', '["~",,1]', '["~",1,2]', '["~",1,2', '["~",1]]', '["~",1}', '{"~":1,"a":2]'],
  ...['[["~",1],2]', '[["~",1] 2]', '[["~",1]2,3]', '[1["~",1]]', '[1 ["~",1]]', '[1,["~",1],]', '[["~",1]["~",1]]'],
  ...[
    '[["~",1] , ["~",1]\n]',
    '[["~",1],"~",["~",1],3,{"a":["~",2],"b":4}]',
    'x["~",1]',
    '["~",1]x',
    '["~",1],',
    '1,["~",1]',
  ],
  ...[
    '["~",1] ["~",1]',
    '["~",1]\u00a0',
    '-["~",1]',
    '[-["~",1]]',
    '{"a":["~",1],"b":2}',
    '{"a":["~",1],}',
    '{["~",1]}',
  ],
  ...['{"a":1,["~",1]}', '{"a":["~",1] "b":2}', '{"a" ["~",1]}', '{"a"::["~",1]}', '{"a":1:["~",1]}', '{a:["~",1]}'],
  ...['{"a":1,"a":["~",1],"b":"~","a":3,"c":4}', '{"b":"~","a":{"x":"~","y":1},"1":2,"0":["~",1],"2":3}'],
  ...[
    '{"__proto__":["~",1],"a":"~","__proto__":{"b":1},"c":1}',
    '{"a":"~","__proto__":["~",1]}',
    '{"a":"~","b":tru,"c":1}',
  ],
  ...[
    '{"\\u0061\\"":["~",1],"a":1}',
    '["~\\",1,"\\\\",["~",1],"]"]',
    '["~\u0001",1]',
    '["~",18446744073709551615,-0,[1e400]]',
  ],
  ...['["~",[[[[["~",{"é":["~","ä"]}]]]]],1]', ']', '}', '[}', '{]', '[[["~",1]'],
])('in pieces as at once: %s', (text) => expectSame(filled(text)))

const longJson = fc.json({
  maxDepth: 4,
  stringUnit: fc.constantFrom('a', '~', '"', '\\', ',', '[', '}', ':', '1', 'é'),
})

test('random JSON is read as at once', () => {
  fc.assert(
    fc.property(longJson, (text) => expectSame(filled(text))),
    { numRuns: runs(100) },
  )
})

test('random JSON with a random change is read as at once', () => {
  const change = fc.constantFrom('', ',', ':', '"', '[', ']', '{', '}', '1', ' ', '-', 'null', '\\')
  fc.assert(
    fc.property(
      longJson,
      change,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.boolean(),
      (text, put, share, cuts) => {
        const at = Math.floor(share * text.length)
        expectSame(filled(text.slice(0, at) + put + text.slice(cuts ? at + 1 : at)))
      },
    ),
    { numRuns: runs(200) },
  )
})

test.each([
  ['one long list', (count: number) => ({ items: Array.from({ length: count }, (_, i) => ({ id: String(i), n: i })) })],
  [
    'a list inside a record',
    (count: number) => [
      { a: { b: [{ events: Array.from({ length: count }, (_, i) => ({ key: 'k', value: `v${i}` })) }] } },
    ],
  ],
])('a long text is read with a pause after each piece: %s', (_, make) => {
  const text = JSON.stringify(make(30_000))
  const parsed = parseLongJson(text)
  const pieces: number[] = []
  const { parse } = JSON
  let read = 0
  JSON.parse = (part: string) => {
    read += part.length
    return parse(part)
  }
  try {
    let step = parsed.next()
    for (; !step.done; step = parsed.next()) {
      pieces.push(read)
      read = 0
    }
    expect(step.value).toEqual(parse(text))
  } finally {
    JSON.parse = parse
  }
  expect(pieces.length).toBeGreaterThan(3)
  expect(Math.max(...pieces, read)).toBeLessThan(2 * long.length)
})

test.each([
  ['lists', `[${'[],'.repeat(partBounds.nested)}0]`],
  ['values', `[${'1,'.repeat(partBounds.values + 1)}0]`],
  ['names', `{${Array.from({ length: partBounds.names + 1 }, (_, i) => `"name ${i}":1`).join()}}`],
])('a long text has no more parts than at once: %s', (_, text) => {
  for (const parse of [parseLong, parseJson]) expect(() => parse(text)).toThrow(tooManyParts())
})
