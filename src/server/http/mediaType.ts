/** The `Accept` headers that most requests have, which need no parsing. */
const plain: ReadonlyMap<string, string> = new Map([
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
])

/** From the least to the most preferred for a range such as `application/*`. */
const resultTypes = ['application/graphql-response+json', 'application/json'] as const

/**
 * The media type of a result for an `Accept` header, as yoga chooses it: that of the first range in UTF-8
 * that allows one, whatever the q-values. Undefined if none does.
 */
export function mediaTypeFor(accept = '*/*'): string | undefined {
  const known = plain.get(accept)
  if (known) return known
  const ranges = (accept || '*/*').replace(/\s/g, '').toLowerCase().split(',')
  for (const range of ranges) {
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
