import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import type { SharedContext } from '../../../engine/graphql/builder.ts'
import type { Limits } from '../../../engine/limits/limits.ts'
import { limitExceeded, type RefusingLimit } from '../../../engine/upstream/error.ts'
import { hintFor } from '../../../schema/nameSuggestions.ts'
import { levelsOf } from './levels.ts'
import { MergeableFieldsRule } from './mergeableFields.ts'

/** A document that has been parsed. */
export interface ParsedDocument {
  readonly query: string
  readonly document: DocumentNode
  /** True for a document from the cache, which keeps valid documents only. */
  readonly isValid: boolean
}

/** Parses and validates documents. Valid ones are cached by their text. */
export interface Documents {
  /** Throws a `GraphQLError` for a syntax error, and for more tokens than the limit. */
  parse(query: string): ParsedDocument
  /** Throws an `AggregateError` of all validation errors. Must be called before a document is run. */
  validate(parsed: ParsedDocument): void
}

/** The rules of the specification. */
const fastRules = specifiedRules.map((rule) => (rule === OverlappingFieldsCanBeMergedRule ? MergeableFieldsRule : rule))

/** Validation stops after this many errors. */
const maxErrors = 20

const maxCachedDocuments = 10_000
const maxCachedBytes = 8 * 1024 * 1024

/** Bytes of a parsed document, roughly: its text, and the nodes of its tokens with their prices. */
const bytesOf = ({ tokenCount = 0 }: DocumentNode, query: string): number => query.length * 2 + tokenCount * 600

/**
 * Opens the cache of documents that fit a schema. Errors are not cached: a wrong document is parsed again each time.
 */
export function createDocuments(
  schema: GraphQLSchema,
  introspection: boolean,
  { cache, limits }: Pick<SharedContext, 'cache' | 'limits'>,
): Documents {
  const maxTokens = maxTokensOf(limits)
  const rules = introspection ? fastRules : [...fastRules, NoSchemaIntrospectionCustomRule]
  const valid = cache.open<DocumentNode>({
    name: 'documents',
    maxEntries: maxCachedDocuments,
    maxBytes: maxCachedBytes,
  })
  return {
    parse(query) {
      const document = valid.get(query)
      if (document) return { query, document, isValid: true }
      return { query, document: parseLimited(query, maxTokens), isValid: false }
    },

    validate({ query, document, isValid }) {
      if (isValid) return
      const errors = validate(schema, document, rules, { maxErrors })
      if (errors.length > 0) throw new AggregateError(errors.map(validationError))
      valid.set(query, document, bytesOf(document, query))
    },
  }
}

/** Tokens of a document at most: one for each ten points that an operation may cost. Documents of screens have up to 139. */
const maxTokensOf = ({ maxCost }: Pick<Limits, 'maxCost'>): number =>
  Math.min(100_000, Math.max(2_000, Math.floor(maxCost / 10)))

/** Validation, pricing and execution are recursive. They exhaust the stack of Node at some 1,400 levels. 2,000 tokens nest up to 666. */
const maxLevels = 700

function parseLimited(query: string, maxTokens: number): DocumentNode {
  try {
    const document = parse(query, { maxTokens })
    if (levelsOf(document) > maxLevels) throw new RangeError('The document nests too deep.')
    return document
  } catch (error) {
    if (error instanceof GraphQLError) throw parseError(error, limitOf(error))
    // The parser is recursive, and may exhaust the stack itself.
    if (error instanceof RangeError) throw parseError(new GraphQLError(tooDeep), 'tokens')
    throw error
  }
}

const tooDeep = 'Syntax Error: Document nests too deep. Parsing aborted.'

/**
 * The limit that the parser refused a document for. Its errors have no code, so this reads the message. A client cannot forge it: a
 * message quotes at most a single token of the document.
 */
const limitOf = ({ message }: GraphQLError): RefusingLimit | undefined =>
  /^Syntax Error: Document contains more \w+ \d+ tokens/.test(message) ? 'tokens' : undefined

function parseError(error: GraphQLError, limit?: RefusingLimit): GraphQLError {
  const { message, source, positions } = error
  const code = 'GRAPHQL_PARSE_FAILED'
  return new GraphQLError(message, {
    source: source ?? null,
    positions: positions ?? null,
    originalError: limit && limitExceeded(limit, 'BAD_USER_INPUT', message),
    extensions: { code, http: { status: 400, spec: true } },
  })
}

/** The message of graphql-js for a field that a type does not have. */
const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"\./

/** A message, with a hint at the field that people mean by that name. */
function withHint(message: string): string {
  const [known = '', fieldName = '', typeName = ''] = unknownField.exec(message) ?? []
  const hint = hintFor(typeName, fieldName)
  return hint === undefined ? message : `${known} Did you mean \`${hint}\`?`
}

const validationError = ({ message, nodes }: GraphQLError): GraphQLError =>
  new GraphQLError(withHint(message), {
    nodes: nodes ?? null,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400, spec: true } },
  })
