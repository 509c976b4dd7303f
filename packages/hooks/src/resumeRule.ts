import type { ResumeRule } from '@portolan/client'
import { type FieldNode, Kind, OperationTypeNode, parse, type SelectionSetNode } from 'graphql'
import { type StartingPoint, toStartingPoint } from './startingPoint.ts'

/** What a document follows, and how it is resumed. */
export interface Followed {
  /** The name of its field in the answer. */
  readonly field: string
  /** The name of the subscription, such as `activity`. */
  readonly subscription: string
  readonly rule: ResumeRule
  /** Whether the `id` of a node names each event. Else its contents do. */
  readonly hasNode: boolean
  /** Where it begins the first time. Undefined for states. */
  readonly start: StartingPoint | undefined
}

/** The subscriptions whose events have cursors, and whether a node names each. The events of all others are states. */
const recordSubscriptions = new Map([
  ['activity', true],
  ['blocks', true],
  ['bridgeTransfers', false],
])

/**
 * Reads what a document follows. One of records has to select what names each record, and where to continue after it.
 * @throws Error if it leaves that out, or is no subscription.
 */
export function readFollowed(document: string): Followed {
  const { definitions } = parse(document)
  const [operation, ...others] = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)
  if (operation?.operation !== OperationTypeNode.SUBSCRIPTION || others.length > 0)
    throw new Error('The document has to be one subscription.')
  const fragments = new Map(
    definitions
      .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
      .map(({ name, selectionSet }) => [name.value, selectionSet]),
  )
  const fieldsOf = (set: SelectionSetNode | undefined): FieldNode[] =>
    (set?.selections ?? []).flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection]
      return fieldsOf(
        selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments.get(selection.name.value),
      )
    })
  const find = (parent: FieldNode | undefined, name: string) =>
    fieldsOf(parent?.selectionSet).find((field) => field.name.value === name && !field.alias)
  const [root] = fieldsOf(operation.selectionSet)
  if (!root) throw new Error('The document has to be one subscription.')
  const subscription = root.name.value
  const field = root.alias?.value ?? subscription
  const hasNode = recordSubscriptions.get(subscription)
  if (hasNode === undefined) return { field, subscription, hasNode: false, start: undefined, rule: {} }
  const after = root.arguments?.find(({ name }) => name.value === 'after')?.value
  const parts = [
    find(root, 'cursor'),
    find(find(root, 'notice'), 'kind'),
    ...(hasNode ? [find(find(root, 'node'), 'id')] : []),
  ]
  if (after?.kind !== Kind.VARIABLE || parts.some((part) => part === undefined)) {
    throw new Error(
      `The subscription ${subscription} has to pass a variable as \`after\`, and to select \`cursor\`${hasNode ? ', `node { id }`' : ''} and \`notice { kind }\`.`,
    )
  }
  return {
    ...{ field, subscription, hasNode, start: toStartingPoint(operation, root) },
    rule: {
      ...{ cursor: `${field}.cursor`, variable: after.name.value },
      ...{ notice: `${field}.notice`, kind: `${field}.notice.kind` },
    },
  }
}
