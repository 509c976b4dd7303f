/** The parts of a time of the graph: RFC 3339 in UTC, with up to nine digits of a second. */
const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/

/**
 * A time with nine digits of a second, so that texts of two times compare as the times do.
 * @throws Error if it is no time of the graph.
 */
export function toSortable(time: string): string {
  const [, seconds, fraction = ''] = form.exec(time) ?? []
  if (seconds === undefined) throw new Error(`Not a time in UTC: ${time}`)
  return `${seconds}.${fraction.padEnd(9, '0')}`
}

/** Microseconds since 1970. Further digits are cut off. */
export function toMicroseconds(time: string): bigint {
  const [seconds = '', fraction = ''] = toSortable(time).split('.')
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(fraction.slice(0, 6))
}

/** `2026-11-21 11:44:39`, in UTC. A fraction of a second is cut off. */
export const toPlainTime = (time: string): string => toSortable(time).slice(0, 19).replace('T', ' ')
