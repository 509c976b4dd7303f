import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GraphQLArgument, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../src/schema/schema.ts'

// Agents and code generators read the whole schema. These bounds keep it short, and its sentences plain.

/** What each type, field, argument and value of the schema says of itself. */
const descriptions = Object.values(schema.getTypeMap())
  .filter(({ name }) => !/^(__|(String|Int|ID|Float|Boolean)$)/.test(name))
  .flatMap((type): [string, string][] => {
    const entry = (path: string, { description }: { description?: string | null | undefined }) =>
      [path, description ?? ''] as [string, string]
    const own = entry(type.name, type)
    if (isEnumType(type)) {
      return [own, ...type.getValues().map((value) => entry(`${type.name}.${value.name}`, value))]
    }
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [own]
    return [
      own,
      ...Object.values(type.getFields()).flatMap((field) => {
        const path = `${type.name}.${field.name}`
        const args: readonly GraphQLArgument[] = 'args' in field ? field.args : []
        return [entry(path, field), ...args.map((arg) => entry(`${path}(${arg.name}:)`, arg))]
      }),
    ]
  })

test('each description has 1 to 40 words and ends with a period', () => {
  expect(descriptions.length).toBeGreaterThan(1_300)
  const wrong = descriptions.filter(([, text]) => {
    const words = text.split(/\s+/).length
    return words > 40 || !/^\S.*[.…]$/.test(text) || / {2}/.test(text)
  })
  expect(wrong).toEqual([])
})

test('schema.graphql has less than 147 kB', () => {
  const bytes = readFileSync(join(import.meta.dirname, '..', '..', 'schema.graphql')).length
  // About 31,000 tokens of the encoding o200k.
  expect(bytes).toBeLessThan(147_000)
})

/** Sentences that hide their subject or their order. */
const indirect: readonly RegExp[] = [
  /(^|[.:;!] )(What|Who|Whoever)\b[^?.]*\./,
  /\b((those|ones?|that) (that|who|which|whose)|(all|nothing) that)\b/i,
  /(^|\. )Takes (that|what|the|an?)\b|\btakes? that\b/,
  /\b(tells?|told|telling)\b(?! (\w+ )?apart)/,
  /\b(an?|the|one|next|last|first|two|no) looks?\b|\blook(s|ed)? (at|for|next|soon)\b/,
  /\b(no|not|never|none)( \w+){0,2} (more|less|fewer|later|earlier|longer|older|larger|further)\b/,
  /\b(of|from|by|to|for|at|in|with|after|before) (which|whom|whose)\b|\bfrom (\w+ ){1,4}on\b/,
  /(^|[.:;] )(As|Since|Where|Whatever|Beside|Without|With|By|Of|Unless|While|Beyond)\b[^.]{3,80}, (it|the|an?|this|each|all|no|they|nobody|nothing)\b/,
]

test('at most four descriptions have indirect wording', () => {
  const isShortNoun = (text: string) => /^What\b/.test(text) && text.split(' ').length <= 6
  const hits = descriptions.flatMap(([path, text]) =>
    indirect.flatMap((pattern) => (pattern.test(text) && !isShortNoun(text) ? [`${path}: ${text}`] : [])),
  )
  expect(hits.length, hits.join('\n')).toBeLessThanOrEqual(4)
})
