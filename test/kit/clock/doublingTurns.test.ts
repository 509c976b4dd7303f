import { expect, test } from 'vitest'
import { isDoublingTurn } from '../../../src/kit/clock/doublingTurns.ts'

const turns = Array.from({ length: 40 }, (_, index) => index + 1)

test('turns are due at each doubling', () => {
  expect(turns.filter((turn) => isDoublingTurn(turn))).toEqual([1, 2, 4, 8, 16, 32])
})

test('from the longest wait on, turns are due at equal distances', () => {
  expect(turns.filter((turn) => isDoublingTurn(turn, 8))).toEqual([1, 2, 4, 8, 16, 24, 32, 40])
})
