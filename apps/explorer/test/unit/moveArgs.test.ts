import { expect, test } from 'vitest'
import { moveArg } from '../../src/pages/transaction/moveArgs.ts'

const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64')
const little = (value: bigint, size: number) =>
  base64(...Array.from({ length: size }, (_, at) => Number((value >> BigInt(8 * at)) & 255n)))

test('texts are read with and without their length', () => {
  expect(moveArg('MTU5OTc3MDAw')).toBe('159977000')
  expect(moveArg(base64(5, ...Buffer.from('uinit')))).toBe('uinit')
  const long = 'ä'.repeat(100)
  expect(moveArg(base64(0xc8, 0x01, ...Buffer.from(long)))).toBe(long)
})

test('numbers are little-endian, and an address has 32 bytes', () => {
  expect([1, 2, 4, 8, 16].map((size) => moveArg(little(7n, size)))).toEqual(['7', '7', '7', '7', '7'])
  expect(moveArg(little(159_977_000n, 8))).toBe('159977000')
  expect(moveArg(little(2n ** 127n, 16))).toBe(`${2n ** 127n}`)
  expect(moveArg(base64(...Array.from({ length: 31 }, () => 0), 1))).toBe(`0x${'0'.repeat(63)}1`)
})

test('what can be anything stays as it is', () => {
  expect(moveArg(base64(1, 2, 3))).toBeUndefined()
  expect(['', 'not base64!', 'abc', '%%%%'].map(moveArg)).toEqual([undefined, undefined, undefined, undefined])
  // Characters that nobody sees are no text.
  expect(moveArg(Buffer.from('\u202eabc').toString('base64'))).toBeUndefined()
})
