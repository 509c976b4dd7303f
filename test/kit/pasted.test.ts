import { expect, test } from 'vitest'
import { pasted } from '../../src/kit/pasted.ts'

const unseen = [
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u180e',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202e',
]
const others = ['\u2060', '\u2063', '\u2064', '\u2066', '\u2069', '\u206f', '\u3164', '\ufe0f', '\ufeff']

test.each([...unseen, ...others])('%j is dropped at the ends and inside', (mark) => {
  expect(pasted(`${mark}init1${mark}abc${mark}`)).toBe('init1abc')
  expect(pasted(`${mark}${mark} ab${mark}${mark}c${mark} `)).toBe('abc')
})

test.each(['\u00a0', '\u1680', '\u2000', '\u2009', '\u202f', '\u205f', '\u3000'])(
  '%j is a space, which is dropped at the ends',
  (space) => {
    expect(pasted(`${space}galley${space}1041${space}`)).toBe('galley 1041')
    expect(pasted(`\u200b${space}\ufeffx${space}\u2060`)).toBe('x')
  },
)

test.each(['می\u200cخواهم', '👩\u200d🚀', '❤\ufe0f', 'क्\u200dष', 'plain text'])('%s keeps what draws it', (name) => {
  expect(pasted(`\u200b${name}\u200e`)).toBe(name)
})
