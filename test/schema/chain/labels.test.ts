import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelText, type Match, matchIn } from '../../../src/schema/chain/labels.ts'
import { runs } from '../../support/property.ts'

/** The same, label by label. */
function matchOf(text: string, labels: readonly (string | null)[]): Match | null {
  const part = text.toLowerCase()
  const all = labels.flatMap((label) => (label ? [label.toLowerCase()] : []))
  if (all.includes(part)) return 'EXACT'
  if (all.some((label) => label.startsWith(part))) return 'PREFIX'
  return all.some((label) => label.includes(part)) ? 'PART' : null
}

const words = fc.array(fc.constantFrom('a', 'B', 'ab', ' ', 'İ', '😀', '0x'), { maxLength: 5 })
const label = words.map((parts) => parts.join(''))

test('labels joined in one text match as they do separately', () => {
  const labels = fc.array(fc.option(label), { maxLength: 4 })
  fc.assert(
    fc.property(
      label.filter((text) => text !== ''),
      labels,
      (text, all) => {
        expect(matchIn(text)(labelText(all))).toBe(matchOf(text, all))
      },
    ),
    { numRuns: runs(2_000) },
  )
})

test('text does not match across two labels', () => {
  expect(matchIn('one\ntwo')(labelText(['one', 'two']))).toBeNull()
  expect(matchIn('one\ntwo')(labelText(['One\nTwo']))).toBe('EXACT')
})
