import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql'
import type { ResumeRule } from './resume.ts'

/**
 * Names of the schema's convention, which is that of Relay: an argument of a subscription takes the cursor
 * that its events have.
 */
export interface CodegenConfig {
  /** The argument. Default: `after`. */
  readonly argument?: string
  /** The field of an event with its cursor. Default: `cursor`. */
  readonly cursor?: string
  /** The field of an event with what is sent in place of a record. Default: `notice`. */
  readonly notice?: string
}

/** A file with documents, as GraphQL Code Generator passes it. */
interface DocumentFile {
  readonly document?: DocumentNode
}

/**
 * A plugin of GraphQL Code Generator. It writes how each subscription of the documents is resumed.
 * @throws Error if a document leaves out what it takes to resume it.
 */
export const plugin = (schema: GraphQLSchema, files: readonly DocumentFile[], config: CodegenConfig = {}): string => {
  const rules = JSON.stringify(rulesOf(schema, files, config), null, 2)
  return `import type { ResumeRules } from '@portolan/client'\n\nexport const resumes: ResumeRules = ${rules}\n`
}

/** The rule of each subscription, by the name of its operation. */
export function rulesOf(
  schema: GraphQLSchema,
  files: readonly DocumentFile[],
  config: CodegenConfig = {},
): Record<string, ResumeRule> {
  const definitions = files.flatMap(({ document }) => document?.definitions ?? [])
  const fragments = new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  )
  const subscriptions = definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .filter(({ operation }) => operation === OperationTypeNode.SUBSCRIPTION)
  return Object.fromEntries(
    subscriptions.map((operation) => {
      const name = operation.name?.value
      if (name === undefined) throw new Error('A subscription needs a name to be resumed.')
      return [name, ruleOf(schema, operation, fragments, config)]
    }),
  )
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

function ruleOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  { argument = 'after', cursor = 'cursor', notice = 'notice' }: CodegenConfig,
): ResumeRule {
  const [root] = fieldsOf(operation.selectionSet, fragments)
  const definition = root && schema.getSubscriptionType()?.getFields()[root.name.value]
  if (!root || !definition?.args.some(({ name }) => name === argument)) return {}
  const missing = (what: string) => new Error(`The subscription ${operation.name?.value} cannot be resumed: ${what}.`)

  const value = root.arguments?.find(({ name }) => name.value === argument)?.value
  if (value?.kind !== Kind.VARIABLE) throw missing(`pass a variable as \`${argument}\``)
  const selected = fieldsOf(root.selectionSet, fragments)
  const find = (name: string) => selected.find((field) => field.name.value === name)
  const place = find(cursor)
  if (!place) throw missing(`select \`${cursor}\``)
  const path = `${responseName(root)}.${responseName(place)}`
  const rule = { cursor: path, variable: value.name.value }

  const event = getNamedType(definition.type)
  const noticeType = isObjectType(event) ? event.getFields()[notice]?.type : undefined
  if (!noticeType) return rule
  const said = find(notice)
  const kind = fieldsOf(said?.selectionSet, fragments).find((field) => {
    const type = getNamedType(noticeType)
    return isObjectType(type) && isEnumType(getNamedType(type.getFields()[field.name.value]?.type))
  })
  if (!said || !kind) throw missing(`select \`${notice}\` with its kind, which says what is missing`)
  const noticePath = `${responseName(root)}.${responseName(said)}`
  return { ...rule, notice: noticePath, kind: `${noticePath}.${responseName(kind)}` }
}

const responseName = ({ alias, name }: FieldNode): string => (alias ?? name).value

/** The fields of a selection, with those of its fragments. Conditional ones do not count. */
function fieldsOf(set: SelectionSetNode | undefined, fragments: Fragments): FieldNode[] {
  return (set?.selections ?? []).flatMap((selection) => {
    if (selection.directives?.some(({ name }) => /^(skip|include)$/.test(name.value))) return []
    if (selection.kind === Kind.FIELD) return [selection]
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    return fieldsOf(fragment?.selectionSet, fragments)
  })
}
