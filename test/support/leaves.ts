/** A value that is no list and no object, with its path, such as `blocks.0.height`. */
export type Leaf = readonly [path: string, value: unknown]

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The leaves of a tree. Parts for which `isLeftOut` is true are passed over. */
export function leavesOf(
  value: unknown,
  isLeftOut: (key: string, part: unknown) => boolean = () => false,
  path: readonly string[] = [],
): Leaf[] {
  if (!isTree(value)) return [[path.join('.'), value]]
  return Object.entries(value).flatMap(([key, part]) =>
    isLeftOut(key, part) ? [] : leavesOf(part, isLeftOut, [...path, key]),
  )
}

/** All lists and objects in a tree, and the tree itself. */
export const partsOf = (tree: unknown): unknown[] =>
  isTree(tree) ? [tree, ...Object.values(tree).flatMap(partsOf)] : []

/** A copy of a tree with another value at a path. */
export function withLeaf(tree: unknown, path: string, value: unknown): unknown {
  const put = (part: unknown, [key, ...rest]: readonly string[]): unknown => {
    if (key === undefined) return value
    const inner = put(isTree(part) ? part[key] : undefined, rest)
    return Array.isArray(part) ? part.with(Number(key), inner) : { ...(isTree(part) ? part : {}), [key]: inner }
  }
  return put(tree, path === '' ? [] : path.split('.'))
}

/** The word of a router for a state in place of another one. Others have no end, so that fields depend on them. */
const otherState = 'STATE_PENDING'

/** Another value of the same kind and form: the last digit or letter is changed. */
export function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  const text = String(value)
  if (text === '') return 'a'
  if (text === '0x') return '0x01'
  if (text.startsWith('STATE_')) return otherState
  const isTime = /^\d{4}-\d\d-\d\dT/.test(text)
  return text.replace(isTime ? /\d(?=\D*$)/ : /[a-z0-9](?=[^a-z0-9]*$)/i, (last) => {
    if (/\d/.test(last)) return last === '0' ? '1' : String(Number(last) - 1)
    return last.toLowerCase() === 'a' ? 'b' : 'a'
  })
}

/** Whether a decoded value has all digits or letters of the one that was sent. Nothing is the same as `""`. */
export function isSame(decoded: unknown, sent: unknown): boolean {
  const text = String(sent ?? '')
  if (typeof decoded === 'bigint' && /^0x[0-9a-f]+$/i.test(text)) return decoded === BigInt(text)
  return String(decoded ?? '') === text
}
