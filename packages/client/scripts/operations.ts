import { codegen } from '@graphql-codegen/core'
import * as operationTypes from '@graphql-codegen/typescript-operations'
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql'
import { rulesOf } from '../src/codegen.ts'
import { scalars } from '../src/config.ts'

/** A document as a frontend has it, with a title and what it is for in the comment above it. */
interface Example {
  readonly text: string
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
}

/** The module with the types, the document and the function of each example, in the order of their texts. */
export async function operationsFile(schema: GraphQLSchema, texts: readonly string[]): Promise<string> {
  const examples = texts.map(exampleOf)
  const types = await typesOf(schema, examples)
  const rules = rulesOf(schema, examples)
  return [
    note,
    imports,
    types,
    ...examples.map((example) => codeOf(example, rules)),
    '/** How the subscriptions of this module are resumed, for `createClient`. Hooks need it. */',
    'export const resumes: ResumeRules = {',
    ...Object.keys(rules).map((name) => `  ${name}: ${camel(name)}Rule,`),
    '}\n',
  ].join('\n')
}

const note = '// Written by `npm run config` from examples/documents and schema.graphql.\n'
const imports = `import type { Client, Live, ResumeRules, SubscribeOptions, TypedDocument } from '../../client.ts'
import type { QueryOptions } from '../../query.ts'
import type { ResumeRule } from '../../resume.ts'
import { subscribeBy } from '../subscribeBy.ts'
`

/** Reads an example. Its default values are those of a simulated network, so they are left out. */
function exampleOf(text: string): Example {
  const document = visit(parse(text, { noLocation: true }), {
    VariableDefinition: ({ defaultValue: _, ...definition }) => definition,
  })
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('A document has no operation.')
  return { text, document, operation }
}

async function typesOf(schema: GraphQLSchema, examples: readonly Example[]): Promise<string> {
  const types = await codegen({
    schema: parse(printSchema(schema)),
    documents: examples.map(({ document }) => ({ document })),
    filename: 'operations.ts',
    plugins: [{ types: {} }],
    pluginMap: { types: operationTypes },
    config: {
      ...{ scalars, strictScalars: true, enumType: 'string-literal', skipTypename: true },
      ...{ immutableTypes: true, useTypeImports: true, dedupeOperationSuffix: true },
    },
  })
  // Without the helpers that the generator has for itself.
  return types.replace(/^\/\*\* Internal type\..*\n.*\n/gm, '').replace(/\bExact<(\{[\s\S]*?\})>;/g, '$1;')
}

/** The document and the function of an example. */
function codeOf({ text, document, operation }: Example, rules: Record<string, unknown>): string {
  const name = operation.name?.value
  if (name === undefined) throw new Error('An operation of the examples has no name.')
  const isLive = operation.operation === OperationTypeNode.SUBSCRIPTION
  const kind = operation.operation.replace(/^./, (letter) => letter.toUpperCase())
  const result = `${name}${kind}`
  const sentences = comment(text)
  const needsNone = operation.variableDefinitions?.every(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
  const variables = `variables: ${result}Variables${needsNone ? ' = {}' : ''}`
  const own = camel(name)
  const constant = `/** The document of \`${own}\`. */
export const ${own}Document = ${JSON.stringify(print(document))} as unknown as TypedDocument<${result}, ${result}Variables>
`
  if (!isLive)
    return `${constant}
${sentences}
export const ${own} = (client: Client, ${variables}, options?: QueryOptions): Promise<${result}> =>
  client.query(${own}Document, variables, options)
`
  return `${constant}
const ${own}Rule: ResumeRule = ${JSON.stringify(rules[name])}

${sentences}
export const ${own} = (client: Client, ${variables}, options?: SubscribeOptions): Live<${result}> =>
  subscribeBy(${own}Rule, client, ${own}Document, variables, options)
`
}

/** The comment above a document, up to where it compares: its title, and what the document is for. */
function comment(text: string): string {
  const lines = text.split('\n').filter((line) => line.startsWith('#'))
  const [title = '', , ...rest] = lines.map((line) => line.slice(1).trim())
  const words = rest.join(' ')
  const [first = ''] = words.split(/ (?=Your page:)/)
  const purpose = first.trim().replace(/\b([\w-]+)\.graphql\b/g, '`$1`')
  return `/** ${title}: ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)} */`
}

const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)
