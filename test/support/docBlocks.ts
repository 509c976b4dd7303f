import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Data } from './world.ts'

const root = join(import.meta.dirname, '..', '..')

/** The pages that readers have: the README, and all of `docs`. */
export const pageFiles: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .toSorted(),
]

/** The text of a file of the repository. */
export const readPage = (file: string): string => readFileSync(join(root, file), 'utf8')

/** A block of GraphQL on a page, with the variables and the answer that follow it. */
export interface GraphqlBlock {
  readonly file: string
  readonly query: string
  readonly variables: Record<string, Data> | undefined
  /** The JSON below the block. Undefined if the page shows no answer. */
  readonly answer: string | undefined
  /** What the page says that the operation costs. */
  readonly cost: string | undefined
  /** Where the block, with all that belongs to it, is on the page. */
  readonly start: number
  readonly end: number
}

const blockPattern =
  /```graphql(?: \S+\.graphql)?\n(?<query>(?:(?!```).)*)```(?:\s+```json variables\n(?<variables>(?:(?!```).)*)```)?(?:\s+```json\n(?<answer>(?:(?!```).)*)```(?:\s+(?<cost>\*Costs [^\n]*\*)(?=\n))?)?/gs

/** The blocks of GraphQL on a page, in their order. */
export function blocksOf(file: string, text = readPage(file)): GraphqlBlock[] {
  return [...text.matchAll(blockPattern)].map((match) => {
    const { query = '', variables, answer, cost } = match.groups ?? {}
    return {
      ...{ file, query, answer, cost },
      variables: variables === undefined ? undefined : JSON.parse(variables),
      start: match.index,
      end: match.index + match[0].length,
    }
  })
}

/** Values that differ from gateway to gateway, because it signs them. */
const isSigned = (name: string, value: Data): boolean =>
  typeof value === 'string' && /^(routeToken|liveCursor|startCursor|endCursor|cursor)$/.test(name)

/** An answer as pages show it: `…` stands for what is signed, and errors have no id of their request. */
export function shownAnswer(value: Data, name = ''): Data {
  if (isSigned(name, value)) return '…'
  if (Array.isArray(value)) return value.map((entry) => shownAnswer(entry))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !['requestId', 'locations'].includes(key))
  return Object.fromEntries(entries.map(([key, entry]) => [key, shownAnswer(entry, key)]))
}

/** The values of all fields with a name, in the order of the answer. */
export function valuesOf(value: Data, name: string): Data[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) => [...(key === name ? [entry] : []), ...valuesOf(entry, name)])
}

/** JSON with short parts on one line, as the pages have it. */
export function formatJson(value: Data, indent = ''): string {
  const flat = flatJson(value)
  if (typeof value !== 'object' || value === null || indent.length + flat.length < 90) return flat
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = Array.isArray(value)
    ? value.map((entry) => formatJson(entry, inner))
    : Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${formatJson(entry, inner)}`)
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

function flatJson(value: Data): string {
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${flatJson(entry)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
