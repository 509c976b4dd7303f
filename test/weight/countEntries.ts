import { join, relative } from 'node:path'
import type { Plugin } from 'vitest/config'

const src = join(import.meta.dirname, '..', '..', 'src')

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** The bodies of all functions in a part of a module, in the order of their starts. Constructors are left out. */
function bodiesIn(node: Node): Node[] {
  const isConstructor = node.type === 'MethodDefinition' && node.kind === 'constructor'
  const { body } = node
  const own = functions.includes(node.type) && isNode(body) ? [body] : []
  const parts = Object.values(isConstructor ? {} : node).flat()
  return [...own, ...parts.filter(isNode).flatMap(bodiesIn)]
}

/**
 * Lets each function of src call the global `entered`, before all else that it does, with the path of its file below
 * src and its place in that file.
 */
export const countEntries = (): Plugin => ({
  name: 'count entries',
  enforce: 'post',
  transform(code, id) {
    const file = relative(src, id)
    if (file.startsWith('..')) return undefined
    const callAt = (place: number) => `globalThis.entered?.(${JSON.stringify(file)}, ${place})`
    const inserts = bodiesIn(this.parse(code) as unknown as Node).flatMap(({ type, start, end }) =>
      type === 'BlockStatement'
        ? [{ at: start + 1, text: `${callAt(start)};` }]
        : [
            { at: start, text: `(${callAt(start)},` },
            { at: end, text: ')' },
          ],
    )
    // Later ones first, so that the places of the others stay. At one place, an inner end comes before an outer one.
    const sorted = inserts.map((insert, i) => ({ ...insert, i })).sort((a, b) => b.at - a.at || b.i - a.i)
    return sorted.reduce((text, insert) => text.slice(0, insert.at) + insert.text + text.slice(insert.at), code)
  },
})
