/** The first of some content codings that a client accepts, by its header `Accept-Encoding` (RFC 9110, 12.5.3). */
export function codingFor<Coding extends string>(
  header: string | string[] | undefined,
  codings: readonly Coding[],
): Coding | undefined {
  const accepted = new Set(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .filter((range) => !/;\s*q=0(\.0*)?\s*$/.test(range))
      .map((range) => range.replace(/;.*/, '').trim()),
  )
  return codings.find((coding) => accepted.has(coding))
}
