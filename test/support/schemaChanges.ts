import {
  type BreakingChangeType,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql'

interface Change {
  readonly type: BreakingChangeType | DangerousChangeType
  readonly description: string
}

const HEADING = '### Breaking changes of the schema\n'

/** Where a description of graphql-js names what it concerns, if not in its first word. */
const SUBJECTS: Partial<Record<Change['type'], RegExp>> = {
  VALUE_REMOVED_FROM_ENUM: /^(?<field>\w+) was removed from enum type (?<type>\w+)/,
  TYPE_REMOVED_FROM_UNION: / union type (?<type>\w+)/,
  REQUIRED_INPUT_FIELD_ADDED: / field (?<field>\w+) on input type (?<type>\w+)/,
  REQUIRED_ARG_ADDED: / on (?<type>\w+)\.(?<field>\w+) was added/,
}

const CLEAR_REASON = /^Use `.+`.* Removed after \d{4}-\d{2}-\d{2}\.$/

const FIRST_WORD = /^(?<type>\w+)(?:\.(?<field>\w+))?/

/** The type, or the type and field as `Type.field`, that a change concerns. */
function subjectOf({ type, description }: Change): string {
  const found = (SUBJECTS[type] ?? FIRST_WORD).exec(description)?.groups
  if (found?.type === undefined) throw new Error(`no name in: ${description}`)
  return found.field === undefined ? found.type : `${found.type}.${found.field}`
}

/** Whether a field or an argument only follows a type that is gone, which is a change of its own. */
function followsRemovedType({ description }: Change, after: GraphQLSchema): boolean {
  const before = / changed type from \W*(\w+)/.exec(description)?.[1]
  return before !== undefined && after.getType(before) === undefined
}

/** What graphql-js calls breaking, and other default values: they change what a client receives. */
function breakingChanges(before: GraphQLSchema, after: GraphQLSchema): Change[] {
  const defaults = findDangerousChanges(before, after).filter(
    ({ type }) => type === DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE,
  )
  return [...findBreakingChanges(before, after), ...defaults]
}

/** The depths at which `@semanticNonNull` says that a field is null only with an error. */
function semanticLevelsOf({ astNode }: GraphQLField<unknown, unknown>): number[] {
  const directive = astNode?.directives?.find(({ name }) => name.value === 'semanticNonNull')
  if (!directive) return []
  const levels = directive.arguments?.find(({ name }) => name.value === 'levels')?.value
  return levels ? [valueFromASTUntyped(levels)].flat().map(Number) : [0]
}

/** Whether a type can be null at a depth of its lists. */
function isNullableAt(type: GraphQLOutputType, level: number): boolean {
  const bare = isNonNullType(type) ? type.ofType : type
  if (level === 0) return type === bare
  return isListType(bare) && isNullableAt(bare.ofType, level - 1)
}

/** Fields that were null only with an error, and now can be null without one. */
function lostSemanticNonNull(before: GraphQLSchema, after: GraphQLSchema): string[] {
  return Object.values(before.getTypeMap()).flatMap((type) => {
    const now = after.getType(type.name)
    if (!isObjectType(type) && !isInterfaceType(type)) return []
    if (!isObjectType(now) && !isInterfaceType(now)) return []
    return Object.values(type.getFields()).flatMap((field) => {
      const next = now.getFields()[field.name]
      const kept = next ? semanticLevelsOf(next) : []
      const isLost = (level: number) => next && isNullableAt(next.type, level) && !kept.includes(level)
      return semanticLevelsOf(field).some(isLost) ? [`${type.name}.${field.name}`] : []
    })
  })
}

/** The sections above that of a version. */
function sectionsSince(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m)
  const index = sections.findIndex((section) => section.startsWith(`## ${version} `))
  if (index === -1) throw new Error(`CHANGELOG.md has no section ${version}`)
  return sections.slice(0, index).join('')
}

/** The names in backticks in the tables of breaking changes since a version. */
function namesSince(changelog: string, version: string): Set<string> {
  const parts = sectionsSince(changelog, version).split(/^(?=#)/m)
  const tables = parts.filter((part) => part.startsWith(HEADING)).join('\n')
  return new Set([...tables.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''))
}

/**
 * The breaking changes since a released schema that the changelog does not name.
 *
 * @param version The version of the released schema, which has a section in the changelog.
 * @returns a line for each change: the name that must be in the table, and what has changed.
 */
export function unnamedBreakingChanges(
  released: GraphQLSchema,
  current: GraphQLSchema,
  changelog: string,
  version: string,
): string[] {
  const names = namesSince(changelog, version)
  const lost = lostSemanticNonNull(released, current).map((subject) => ({
    subject,
    description: `${subject} can be null without an error.`,
  }))
  const changed = breakingChanges(released, current)
    .filter((change) => !followsRemovedType(change, current))
    .map((change) => ({ subject: subjectOf(change), description: change.description }))
  return [...changed, ...lost]
    .filter(({ subject }) => !names.has(subject))
    .map(({ subject, description }) => `\`${subject}\`: ${description}`)
}

/** What can be deprecated in a type, by name: its values, fields and arguments. */
function partsOf(type: GraphQLNamedType): (readonly [string, string | null | undefined])[] {
  if (isEnumType(type)) {
    return type.getValues().map((value) => [`${type.name}.${value.name}`, value.deprecationReason])
  }
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return []
  return Object.values(type.getFields()).flatMap((field) => {
    const name = `${type.name}.${field.name}`
    const args: readonly GraphQLArgument[] = 'args' in field ? field.args : []
    return [
      [name, field.deprecationReason] as const,
      ...args.map((arg) => [`${name}(${arg.name}:)`, arg.deprecationReason] as const),
    ]
  })
}

/** What is deprecated without a replacement, or without a day from which it may be gone. */
export function unclearDeprecations(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__'))
    .flatMap(partsOf)
    .filter(([, reason]) => reason != null && !CLEAR_REASON.test(reason))
    .map(([name]) => name)
}
