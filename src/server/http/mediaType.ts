/** The `Accept` headers that most requests have, which need no parsing. */
const plain: ReadonlyMap<string, string> = new Map([
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
])

/** From the least to the most preferred for a range such as `application/*`. */
const resultTypes = ['application/graphql-response+json', 'application/json'] as const

/** The ranges of an `Accept` header in lower case, the most preferred first, without excluded ones (RFC 9110, 12.5.1). */
export const acceptedRanges = (accept: string): string[] =>
  rangesIn(accept)
    .map((range) => ({ range, weight: weightOf(range) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ range }) => range)

const rangesIn = (accept: string): string[] => accept.replace(/\s/g, '').toLowerCase().split(',')

const weightOf = (range: string): number => Number(/;q=([\d.]*)/.exec(range)?.[1] ?? 1)

/**
 * The media type of a result for an `Accept` header, as yoga chooses it: that of the most preferred range in UTF-8
 * that allows one. Undefined if none does.
 */
export function mediaTypeFor(accept = '*/*'): string | undefined {
  const known = plain.get(accept)
  if (known) return known
  for (const range of acceptedRanges(accept || '*/*')) {
    const [mediaType = '', ...parameters] = range.split(';')
    const charset = parameters.find((parameter) => parameter.includes('charset='))
    if (charset !== undefined && charset !== 'charset=utf-8') continue
    const chosen = resultTypes.findLast((type) => isInRange(type, mediaType))
    if (chosen) return chosen
  }
  return undefined
}

function isInRange(mediaType: string, range: string): boolean {
  const [type, subtype] = mediaType.split('/')
  const [allowedType, allowedSubtype] = range.split('/')
  return [type, '*'].includes(allowedType) && [subtype, '*'].includes(allowedSubtype)
}
