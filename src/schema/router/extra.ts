import { badInput } from '../../engine/upstream/error.ts'
import { jsonText } from '../../engine/wire/exactJson.ts'
import { isJsonObject } from '../../engine/wire/lenient.ts'

/** The deepest nesting of further fields. JSON.stringify overflows the stack on what is far deeper. */
const maxLevels = 16

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)))

/**
 * The JSON text of a request body, with further fields that a client gives in the names of the router. They
 * never replace a field that the input has, whether it is given or not: `body` names all of those.
 * Throws `BAD_USER_INPUT`.
 */
export function withExtra(extra: unknown, body: Readonly<Record<string, unknown>>): string {
  if (extra == null) return JSON.stringify(body)
  if (!isJsonObject(extra)) throw badInput('`extra` must be an object.')
  if (isDeeper(extra, maxLevels)) throw badInput(`\`extra\` has at most ${maxLevels} levels.`)
  const taken = Object.keys(extra).find((name) => name === 'operations' || Object.hasOwn(body, name))
  if (taken !== undefined) throw badInput(`\`extra\` must not have \`${taken}\`: the input has a field for it.`)
  return jsonText({ ...extra, ...body })
}
