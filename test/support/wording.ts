import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { pageFiles, readPage } from './docBlocks.ts'

/** Ways to say a thing that readers stumble over, each with what is plainer. */
const denseWording: Readonly<Record<string, RegExp>> = {
  'a clause without its noun: name it, as in "the record that"':
    /(?:^|[.:;!] )(?:What|Who|Whoever)\b[^?.]*\./g,
  'a pronoun before its clause: name the noun':
    /\b(?:(?:those|ones?|that) (?:that|who|which|whose)|(?:all|nothing) that)\b/gi,
  '"takes": records, needs, accepts': /(?:^|\. )Takes (?:that|what|the|an?)\b|\btakes? that\b/g,
  '"tells": reports, sends, says': /\b(?:tells?|told|telling)\b(?! (?:\w+ )?apart)/gi,
  '"look": poll, read, search':
    /\b(?:an?|the|one|next|last|first|two|no) looks?\b|\blook(?:s|ed)? (?:at|for|next|soon)\b/gi,
  'a negated comparison: say the bound':
    /\b(?:no|not|never|none)(?: \w+){0,2} (?:more|less|fewer|later|earlier|longer|older|larger|further)\b/gi,
  'a relative clause with a preposition: two sentences':
    /\b(?:of|from|by|to|for|at|in|with|after|before) (?:which|whom|whose)\b|\bfrom (?:\w+ ){1,4}on\b/gi,
  'the cause before the subject: begin with the subject':
    /(?:^|[.:;] )(?:As|Since|Where|Whatever|Beside|Without|With|By|Of|Unless|While|Beyond)\b[^.]{3,80}, (?:it|the|an?|this|each|all|no|they|nobody|nothing)\b/g,
}

const root = join(import.meta.dirname, '..', '..')

/** Text on one line, with a letter for each of a name in backticks. */
const plain = (text: string): string =>
  text
    .replace(/`[^`]*`/g, (name) => 'x'.repeat(name.length))
    .replace(/\s+/g, ' ')
    .trim()

/** The dense wordings in pieces of text, each with what is around it. */
export const denseIn = (pieces: readonly string[]): string[] =>
  pieces.map(plain).flatMap((piece) =>
    Object.entries(denseWording).flatMap(([why, pattern]) =>
      [...piece.matchAll(pattern)].map(({ 0: found, index }) => {
        const around = piece.slice(Math.max(0, index - 40), index + found.length + 40)
        return `${why}: …${around}…`
      }),
    ),
  )

/** The paragraphs, list items and cells of the pages, without headings and code. */
export const docPieces = (): string[] =>
  [...pageFiles, 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].flatMap((file) =>
    readPage(file)
      .replace(/```.*?```/gs, '')
      .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\s*\|)/)
      .flatMap((part) => (part.trim().startsWith('|') ? part.split('|') : [part]))
      .map((part) => part.replace(/^\s*(?:[-*]|\d+\.) /, ''))
      .filter((part) => !part.trim().startsWith('#')),
  )

/** The comments of the gateway, each in one piece. The sandbox, which speaks as upstreams do, is left out. */
export const commentPieces = (): string[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('sandbox'))
    .flatMap((file) => {
      const text = readFileSync(join(root, 'src', file), 'utf8')
      const blocks = text.match(/\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? []
      return blocks.map((block) => block.replace(/^\s*(?:\/\*\*|\*\/|\*|\/\/)|\*\//gm, ''))
    })

/** What describes a type, its fields and their arguments, or its values. */
function descriptionsOf(type: GraphQLNamedType): (string | null | undefined)[] {
  if (isEnumType(type))
    return [type.description, ...type.getValues().map((value) => value.description)]
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type))
    return [type.description]
  const fields = Object.values(type.getFields()).flatMap((field) => [
    field.description,
    ...('args' in field ? field.args.map((arg: GraphQLArgument) => arg.description) : []),
  ])
  return [type.description, ...fields]
}

/** The descriptions of a schema. "What …" in one of up to six words is a name, and is left out. */
export const descriptionPieces = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap(descriptionsOf)
    .filter((text) => text !== null && text !== undefined)
    .filter((text) => !(text.startsWith('What ') && text.split(' ').length <= 6))
