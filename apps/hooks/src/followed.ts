import type { ResumeRule } from '@portolan/client'
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  OperationTypeNode,
  parse,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { type StartingPoint, toStartingPoint } from './startingPoint.ts'

/** What a document follows, and how it is resumed. */
export interface FollowedDocument {
  /** The name of its field in the answer. */
  readonly field: string
  /** The name of the subscription, such as `activity`. */
  readonly subscription: string
  /** The document as it is sent: what identifies each event is added to it where it is missing. */
  readonly document: string
  readonly rule: ResumeRule
  /** Where the value of the field has what identifies an event. Undefined for what this subscription does not have. */
  readonly identity: Identity<IdentityField>
  /** Where it begins the first time. Undefined for states. */
  readonly start: StartingPoint | undefined
}

/** What identifies the events of a subscription. One without a cursor sends states. */
interface Identity<Part> {
  /** Where the subscription continues after an event. */
  readonly cursor?: Part
  /** What an event has instead of a record. */
  readonly notice?: Part
  /** What identifies the record for ever. */
  readonly record?: Part
  /** Of which of several things the event is a state. */
  readonly subject?: Part
  /** What makes a state another one, where the document can select less or more than that. */
  readonly state?: Part
}

/** A field that has a part of the identity, by its name in the answer, and what counts of its value. */
export interface IdentityField {
  readonly name: string
  readonly selections: SelectionSetNode | undefined
}

const records = { cursor: 'cursor', notice: 'notice { kind }', record: 'node { id }' }

/**
 * What identifies the events of each subscription. The states of all others are told apart by what the document selects:
 * they are of one thing.
 */
const identities: Readonly<Record<string, Identity<string>>> = {
  ...{ activity: records, blocks: records, bridgeTransfers: records },
  // Their first event after each connection says that all of them have changed.
  balances: { state: 'balances { balances { chain { chainId } denom amount } }' },
  chainHeads: { subject: 'chain { chainId }' },
  transfers: { subject: 'id' },
}

/** What the names of added fields and of the added variable begin with. */
export const addedPrefix = 'portolan_'

const variableName = `${addedPrefix}after`

/**
 * Reads what a document follows, and adds to it what identifies each event, and where to continue after it. A document
 * that selects all of that itself is sent as it is.
 * @throws Error if it is not one subscription, or `after` is no variable.
 */
export function readFollowed(text: string): FollowedDocument {
  const document = parse(text)
  const [operation, ...others] = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)
  const fieldsOf = fieldsIn(document)
  const [root] = fieldsOf(operation?.selectionSet)
  if (operation?.operation !== OperationTypeNode.SUBSCRIPTION || others.length > 0 || !root)
    throw new Error('The document has to be one subscription.')
  const subscription = root.name.value
  const field = root.alias?.value ?? subscription
  const added: FieldNode[] = []
  const identity: Partial<Record<keyof Identity<IdentityField>, IdentityField>> = {}
  for (const [part, selection] of Object.entries(identities[subscription] ?? {})) {
    const wanted = fieldOf(selection)
    const isThere = contains(root, wanted, fieldsOf)
    const name = isThere ? wanted.name.value : `${addedPrefix}${part}`
    if (!isThere) added.push({ ...wanted, alias: { kind: Kind.NAME, value: name } })
    identity[part as keyof Identity<IdentityField>] = { name, selections: wanted.selectionSet }
  }
  const { cursor, notice } = identity
  const after = root.arguments?.find(({ name }) => name.value === 'after')
  if (cursor && after && after.value.kind !== Kind.VARIABLE)
    throw new Error(`The subscription ${subscription} has to pass a variable as \`after\`, or no \`after\` at all.`)
  const isAfterAdded = cursor !== undefined && after === undefined
  const variable = after?.value.kind === Kind.VARIABLE ? after.value.name.value : variableName
  const isChanged = added.length > 0 || isAfterAdded
  return {
    ...{ field, subscription, identity },
    document: isChanged ? print(extend(document, root, added, isAfterAdded)) : text,
    start: cursor && toStartingPoint(operation, root),
    rule: {
      ...(cursor && { cursor: `${field}.${cursor.name}`, variable }),
      ...(notice && { notice: `${field}.${notice.name}`, kind: `${field}.${notice.name}.kind` }),
    },
  }
}

/** Collects the fields of a selection, also those of its fragments. One with a directive can be missing in an answer. */
function fieldsIn({ definitions }: DocumentNode) {
  const fragments = new Map(
    definitions
      .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((each) => [each.name.value, each] as const),
  )
  const fieldsOf = (set: SelectionSetNode | undefined): FieldNode[] =>
    (set?.selections ?? []).flatMap((selection) => {
      if (selection.directives?.length) return []
      if (selection.kind === Kind.FIELD) return [selection]
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      return fieldsOf(inner?.selectionSet)
    })
  return fieldsOf
}

/** Whether a field selects another one, with all of its selections and by their own names. */
function contains(parent: FieldNode, wanted: FieldNode, fieldsOf: ReturnType<typeof fieldsIn>): boolean {
  return fieldsOf(parent.selectionSet).some(
    (field) =>
      field.name.value === wanted.name.value &&
      !field.alias &&
      !field.arguments?.length &&
      selectedIn(wanted.selectionSet).every((inner) => contains(field, inner, fieldsOf)),
  )
}

const selectedIn = (set: SelectionSetNode | undefined): readonly FieldNode[] =>
  (set?.selections ?? []).filter((each) => each.kind === Kind.FIELD)

/** The field of a text, such as `node { id }`. */
function fieldOf(text: string): FieldNode {
  const [definition] = parse(`{ ${text} }`).definitions
  const [field] = definition?.kind === Kind.OPERATION_DEFINITION ? selectedIn(definition.selectionSet) : []
  if (!field) throw new TypeError(`${text} is no field.`)
  return field
}

/** The document with more fields in its root field, and with a variable for its cursor. */
function extend(
  document: DocumentNode,
  root: FieldNode,
  added: readonly FieldNode[],
  isAfterAdded: boolean,
): DocumentNode {
  const name = { kind: Kind.NAME, value: variableName } as const
  const value = { kind: Kind.VARIABLE, name } as const
  const argument = { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: 'after' }, value } as const
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'String' } } as const
  const definition = { kind: Kind.VARIABLE_DEFINITION, variable: value, type } as const
  return visit(document, {
    [Kind.FIELD]: {
      enter(field) {
        if (field !== root) return undefined
        return {
          ...field,
          arguments: [...(field.arguments ?? []), ...(isAfterAdded ? [argument] : [])],
          ...(field.selectionSet && {
            selectionSet: { ...field.selectionSet, selections: [...field.selectionSet.selections, ...added] },
          }),
        }
      },
    },
    [Kind.OPERATION_DEFINITION]: {
      leave: (operation) =>
        isAfterAdded
          ? { ...operation, variableDefinitions: [...(operation.variableDefinitions ?? []), definition] }
          : undefined,
    },
  })
}
