import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getOperationAST, type OperationTypeNode, parse } from 'graphql'
import { z } from 'zod'
import type { Data } from './world.ts'

const folder = join(import.meta.dirname, '..', '..', 'examples')

/** A document of examples/documents, with what the comment at its top says. */
export interface Example {
  /** Name of the file without its extension. */
  readonly name: string
  readonly title: string
  readonly text: string
  readonly operation: OperationTypeNode
  /** Requests of a page without the gateway: for one view of the screen, or in a minute if it is polled. */
  readonly today: number
  readonly isPolled: boolean
  /** What is counted in `today`. */
  readonly counted: string
  /** What the comment says of fifty viewers in a minute. Absent if it says nothing. */
  readonly many?: { readonly today: number; readonly here: number } | undefined
}

const headerPattern =
  /^(?<title>.+?) {2}(?<about>.+) {2}Your page: 1 (?:request|subscription)(?: instead of (?<today>\d+)(?<unit> requests a minute)?)?: (?<counted>.+?)\.(?: Fifty viewers: (?<watched>[\d,]+) requests a minute instead of (?<polled>[\d,]+)\.)?$/

/** Reads an example. Throws if the comment at its top lacks a part. */
export function readExample(name: string): Example {
  const text = readFileSync(fileOf(name), 'utf8')
  const lines = text.split('\n')
  const header = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('#')),
  )
  const comment = header.map((line) => line.replace(/^# ?/, '')).join(' ')
  const parts = headerPattern.exec(comment)?.groups
  const operation = getOperationAST(parse(text))?.operation
  if (!parts || !operation) throw new Error(`The comment of ${name} lacks a part: ${comment}`)
  return {
    ...{ name, text, operation },
    title: parts.title ?? '',
    // A comment that compares nothing is of a page that sends one request either way.
    today: Number(parts.today ?? 1),
    isPolled: parts.unit !== undefined,
    counted: parts.counted ?? '',
    many: parts.watched === undefined ? undefined : { today: numberOf(parts.polled), here: numberOf(parts.watched) },
  }
}

const numberOf = (text = '') => Number(text.replaceAll(',', ''))

const fileOf = (name: string) => join(folder, 'documents', `${name}.graphql`)

/** A value, or where it is in the answer to another document. */
const variable = z.union([
  z
    .object({
      document: z.string(),
      variables: z.record(z.string(), z.unknown()).optional(),
      path: z.array(z.string()),
    })
    .strict(),
  z.array(z.string()),
  z.string(),
])

const variablesFile = z.record(z.string(), z.array(z.record(z.string(), variable)))

const variablesByName = variablesFile.parse(JSON.parse(readFileSync(join(folder, 'variables.json'), 'utf8')))

/** Names of the examples that have variables besides their defaults. */
export const namesWithVariables = Object.keys(variablesByName)

/** How often an example runs, each time with other variables. */
export const runsOf = (name: string): number => variablesByName[name]?.length ?? 1

/**
 * The variables of a run of an example, besides its defaults. What no default can hold is taken from the
 * answer to another example.
 */
export async function variablesOf(
  name: string,
  run: number,
  ask: (document: string, variables?: Record<string, unknown>) => Promise<Data>,
): Promise<Record<string, unknown>> {
  const variables: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(variablesByName[name]?.[run] ?? {})) {
    if (typeof value === 'string' || Array.isArray(value)) {
      variables[key] = value
      continue
    }
    const answer = await ask(readExample(value.document).text, value.variables)
    variables[key] = value.path.reduce((part, step) => part[step], answer)
  }
  return variables
}
