/** Names of operations as values of a label. A label must not have too many values. */
export type NameLabel = (name: string | undefined) => string

/** Names that get a series of their own. */
const maxNames = 200

/** Longer names are counted as `other`. */
const maxLength = 64

/**
 * The first names that clients use are kept as they are. All others are `other`, since clients choose the
 * names and each one costs memory here and in Prometheus. Operations without a name are `anonymous`.
 */
export function createNameLabel(): NameLabel {
  const names = new Set<string>()
  return (name) => {
    if (name === undefined) return 'anonymous'
    if (names.has(name)) return name
    if (names.size >= maxNames || name.length > maxLength) return 'other'
    names.add(name)
    return name
  }
}
