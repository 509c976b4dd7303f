/** A value whose objects have no own key `__proto__`. Objects are copied where one was left out. */
export function withoutProto(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => key !== '__proto__')
  const inner = kept.map(([key, each]): [string, unknown] => [key, withoutProto(each)])
  const isWhole = kept.length === Object.keys(value).length
  if (isWhole && inner.every(([, each], i) => each === kept[i]?.[1])) return value
  if (Array.isArray(value)) return inner.map(([, each]) => each)
  return Object.assign(Object.create(Object.getPrototypeOf(value)), Object.fromEntries(inner))
}
