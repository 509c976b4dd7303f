import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { decode } from '../../../src/engine/wire/compiledSchema.ts'
import { plainDecimal, wholeDigits } from '../../../src/engine/wire/decimalText.ts'
import { runs } from '../../support/property.ts'
import { type Recording, recordWireSamples } from '../../support/wireSamples.ts'

let recording: Recording
beforeAll(async () => {
  recording = await recordWireSamples()
}, 60_000)

/** Whole numbers of up to 256 bits, many of them round or near the edge of what a JavaScript number holds. */
const whole = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.integer({ min: 0, max: 76 }).map((zeros) => 10n ** BigInt(zeros)),
  fc.integer({ min: 0, max: 255 }).map((bits) => 2n ** BigInt(bits)),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.constantFrom(250_000_000_000_000_000n, 1_000_000_000_000_000_001n, 0n),
)

/** Notations of a whole number: the digits, with a fraction of zeros, and with an exponent. */
const notations = (digits: string): string[] => {
  const zeros = /0*$/.exec(digits)?.[0].length ?? 0
  const mantissa = digits === '0' ? '0' : digits.slice(0, digits.length - zeros)
  const scientific = `${digits.charAt(0)}.${digits.slice(1) || '0'}e${digits.length - 1}`
  return [digits, `${digits}.0`, `${mantissa}e${digits === '0' ? 5 : zeros}`, scientific, scientific.replace('e', 'E+')]
}

test('wholeDigits is the same for all notations of a number', () => {
  fc.assert(
    fc.property(whole, (value) => {
      for (const text of notations(String(value))) expect(wholeDigits(text)).toBe(String(value))
    }),
  )
})

test('plainDecimal keeps all digits', () => {
  const digits = fc.stringMatching(/^[1-9][0-9]{0,30}$/)
  fc.assert(
    fc.property(digits, fc.integer({ min: -70, max: 40 }), (mantissa, exponent) => {
      const plain = plainDecimal(`${mantissa}e${exponent}`) ?? ''
      const [before = '', after = ''] = plain.split('.')
      expect(plain).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      // mantissa * 10^exponent = units / 10^places
      const places = BigInt(after.length)
      const left = BigInt(mantissa) * 10n ** BigInt(Math.max(0, exponent)) * 10n ** places
      const right = BigInt(before + after) * 10n ** BigInt(Math.max(0, -exponent))
      expect(left).toBe(right)
    }),
  )
})

test.each([
  ['1.1e-1', '0.11'],
  ['1e-21', '0.000000000000000000001'],
  ['1e21', '1000000000000000000000'],
  ['-2.50e1', '-25'],
  ['0e999', '0'],
  ['1e999', undefined],
  ['e5', undefined],
  ['1.e5', undefined],
  ['1e', undefined],
])('plainDecimal of %s is %s', (text, plain) => {
  expect(plainDecimal(text)).toBe(plain)
})

type Path = readonly (string | number)[]

/** The places of numbers and of texts of digits in a body. */
function* numericPlaces(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))) yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) yield* numericPlaces(part, [...path, key])
}

/** The text of a body with a piece of JSON at a place. */
function withNumber(body: unknown, path: Path, json: string): string {
  const copy = structuredClone(body)
  let holder = copy as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) holder = holder[key] as typeof holder
  holder[path.at(-1) ?? ''] = 'here is the number'
  return JSON.stringify(copy).replace('"here is the number"', json)
}

const containsBigInt = (value: unknown, wanted: bigint): boolean =>
  value === wanted ||
  (typeof value === 'object' && value !== null && Object.values(value).some((part) => containsBigInt(part, wanted)))

/** Whether the schema reads this value as a whole number. */
const refused = Symbol('refused')
function read(schema: z.ZodType, text: string): unknown {
  try {
    return decode(schema, recording.parse(text))
  } catch {
    return refused
  }
}

test('numeric fields of all bodies read all notations, as string and as number', () => {
  let fields = 0
  for (const { schema, values } of recording.samples) {
    for (const body of values.slice(0, 2)) {
      const places = [...numericPlaces(body)]
      if (places.length === 0) continue
      fc.assert(
        fc.property(fc.constantFrom(...places), whole, (path, value) => {
          const digits = String(value)
          const expected = read(schema, withNumber(body, path, `"${digits}"`))
          // A small number may be somewhere else in the body.
          if (value < 1_000_000n || !containsBigInt(expected, value)) return
          fields += 1
          for (const notation of notations(digits)) {
            for (const json of [notation, `"${notation}"`]) {
              if (!containsBigInt(read(schema, withNumber(body, path, json)), value)) {
                throw new Error(`${path.join('.')}: ${json} is not read as ${digits}`)
              }
            }
          }
        }),
        { numRuns: runs(30) },
      )
    }
  }
  // Heights and the like refuse numbers beyond 2^53, so not every run counts.
  expect(fields).toBeGreaterThan(runs(200))
}, 60_000)
