import { bech32, bech32m } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bech32Of, bytesOf, toBech32 } from '../../src/addresses/bytes.ts'

const prefix = fc.stringMatching(/^[a-z][a-z0-9]{0,12}$/)
const bytes = fc.uint8Array({ minLength: 1, maxLength: 32 })
const hexOf = (all: Uint8Array) => Buffer.from(all).toString('hex')

test('bytesOf reads an address like the library of its encoding', () => {
  fc.assert(
    fc.property(prefix, bytes, fc.constantFrom(bech32, bech32m), (name, all, encoding) => {
      const text = encoding.encode(name, encoding.toWords(all), 90)
      for (const spelling of [text, text.toUpperCase()]) {
        expect(bech32Of(spelling)).toEqual({ prefix: name, bytes: hexOf(all) })
      }
      if (encoding === bech32) expect(toBech32(hexOf(all), name)).toBe(text)
    }),
  )
})

test('an address with one wrong character is refused', () => {
  fc.assert(
    fc.property(prefix, bytes, fc.nat(), fc.constantFrom(...'qpz1 bIÄ\u0000'), (name, all, at, wrong) => {
      const text = bech32.encode(name, bech32.toWords(all), 90)
      const place = at % text.length
      const changed = `${text.slice(0, place)}${wrong}${text.slice(place + 1)}`
      const decoded = bech32.decodeUnsafe(changed, 90) ?? bech32m.decodeUnsafe(changed, 90)
      if (decoded) return
      expect(bech32Of(changed)).toBeUndefined()
      expect(bytesOf(changed)).toBeNull()
    }),
  )
})

test('addresses beyond the size of the memo are read correctly', () => {
  const addressOf = (number: number) => toBech32(number.toString(16).padStart(40, '0'), 'init')
  for (let round = 0; round < 2; round += 1) {
    for (let number = 0; number < 10_000; number += 1) {
      const hex = number.toString(16).padStart(40, '0')
      if (bytesOf(addressOf(number)) !== hex) throw new Error(`${number} was read wrongly`)
      if (bytesOf(`x${number}`) !== null) throw new Error(`x${number} is no address`)
    }
  }
})
