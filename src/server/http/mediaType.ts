/** The ranges of an `Accept` header in lower case, the most preferred first, without excluded ones (RFC 9110, 12.5.1). */
export function acceptedRanges(accept: string): string[] {
  const ranges = accept.replace(/\s/g, '').toLowerCase().split(',')
  if (!accept.includes('q=')) return ranges
  return ranges
    .map((range) => ({ range, weight: weightOf(range) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ range }) => range)
}

const weightOf = (range: string): number => Number(/;q=([\d.]*)/.exec(range)?.[1] ?? 1)
