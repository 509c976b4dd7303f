/**
 * Whether something that is tried less and less often is due at a turn, counted from 1: the first, second, fourth, eighth … From
 * `most` on, a power of two, each multiple of it.
 */
export const isDoublingTurn = (turn: number, most = Number.POSITIVE_INFINITY): boolean =>
  turn < most ? Number.isInteger(Math.log2(turn)) : turn % most === 0
