import {
  type ArgumentNode,
  BREAK,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { compileArguments } from '../compiled/compileArguments.ts'
import { introspectionCost } from './introspectionCost.ts'

/** The price of an operation: its cost as a function of its variables. */
export interface Price {
  /** Each selection comes after the selections inside it. The last one is that of the root. */
  readonly selections: readonly PricedSelection[]
}

/** A selection set on a type. Each is priced once, however many fields and fragments lead to it. */
interface PricedSelection {
  /** Points of everything in it that is the same in each request. */
  readonly fixed: number
  readonly parts: readonly PricedPart[]
}

/** A part of a selection whose points can differ between requests. */
interface PricedPart {
  /** Undefined for a fragment, and for a field whose own points are fixed. */
  readonly rate: Rate | undefined
  readonly multiplier: number
  /** The place of the selection inside it. Undefined if the points there are fixed. */
  readonly inside: number | undefined
  readonly fixedInside: number
}

/** The points of a field itself, and the number of times that the points inside it count. */
type Rate = (variables: Variables, context: object) => { readonly own: number; readonly multiplier: number }

type Variables = Readonly<Record<string, unknown>>

/**
 * Prices an operation in one visit. The points are those of `@pothos/plugin-complexity`. `@skip` and `@include` do
 * not change them: a skipped field counts.
 */
export function priceOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Price {
  const fragments = fragmentsOf(document)
  const root = schema.getRootType(operation.operation)
  const selections: PricedSelection[] = []
  if (!root) return { selections }
  const visit = createVisit(schema, fragments, selections)
  const { place, fixed } = visit(operation.selectionSet, root)
  const introspection = introspectionCost(schema, fragments, operation.selectionSet)
  const parts = place === undefined ? [] : [partOf({ place, fixed })]
  selections.push({ fixed: introspection + (place === undefined ? fixed : 0), parts })
  return { selections }
}

/** The points of a priced operation. Throws a `GraphQLError` if an argument has no valid value with these variables. */
export function addUp({ selections }: Price, variables: Variables, context: object): number {
  const points: number[] = []
  for (const { fixed, parts } of selections) {
    let sum = fixed
    for (const { rate, multiplier, inside, fixedInside } of parts) {
      const rated = rate?.(variables, context)
      const pointsInside = inside === undefined ? fixedInside : (points[inside] ?? 0)
      sum += (rated?.own ?? 0) + (rated?.multiplier ?? multiplier) * pointsInside
    }
    points.push(sum)
  }
  return points.at(-1) ?? 0
}

/** The outcome of a visit: the points of a selection if they are fixed, and else its place. */
interface Visited {
  readonly place: number | undefined
  readonly fixed: number
}

const nothing: Visited = { place: undefined, fixed: 0 }

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Returns a visit that adds each selection to `selections` after the selections inside it. */
function createVisit(schema: GraphQLSchema, fragments: Fragments, selections: PricedSelection[]) {
  const known = new Map<SelectionSetNode, Map<GraphQLNamedType, Visited>>()

  const visitFragment = (node: Exclude<SelectionNode, FieldNode>, type: GraphQLNamedType): Visited => {
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node
    if (!fragment) return nothing
    const { typeCondition, selectionSet } = fragment
    const ownType = typeCondition ? schema.getType(typeCondition.name.value) : type
    return visit(selectionSet, ownType ?? type)
  }

  const visitField = (node: FieldNode, type: GraphQLNamedType): VisitedField => {
    const hasFields = isObjectType(type) || isInterfaceType(type)
    const field = hasFields ? type.getFields()[node.name.value] : undefined
    if (!field) return { ...nothing, own: defaultPoints, multiplier: 1 }
    const { selectionSet } = node
    const inside = selectionSet ? visit(selectionSet, getNamedType(field.type)) : nothing
    return { ...inside, ...findRate(field, node) }
  }

  const visit = (set: SelectionSetNode, type: GraphQLNamedType): Visited => {
    const before = known.get(set)?.get(type)
    if (before) return before
    const visited = set.selections.map((node) =>
      node.kind === Kind.FIELD ? visitField(node, type) : { ...visitFragment(node, type), own: 0, multiplier: 1 },
    )
    const priced = toSelection(visited)
    const place = priced.parts.length > 0 ? selections.push(priced) - 1 : undefined
    const result = { place, fixed: priced.fixed }
    const ofSet = known.get(set) ?? new Map<GraphQLNamedType, Visited>()
    known.set(set, ofSet.set(type, result))
    return result
  }
  return visit
}

/** A visited field or fragment, with its own points. */
interface VisitedField extends Visited {
  readonly own: number
  readonly multiplier: number
  readonly rate?: Rate
}

/** Adds what is fixed up, and keeps the parts that are not. */
function toSelection(visited: readonly VisitedField[]): PricedSelection {
  let fixed = 0
  const parts: PricedPart[] = []
  for (const each of visited) {
    const isFixed = !each.rate && each.place === undefined
    fixed += each.own
    if (isFixed) fixed += each.multiplier * each.fixed
    else parts.push(partOf(each))
  }
  return { fixed, parts }
}

const partOf = ({ place, fixed, rate, multiplier = 1 }: Visited & Partial<VisitedField>): PricedPart => ({
  rate,
  multiplier,
  inside: place,
  fixedInside: fixed,
})

/** Points of a field without a price. */
const defaultPoints = 1

/** The multiplier of a list that sets a price but no multiplier: each field inside counts this often. */
const listMultiplier = 10

type FieldPrice = number | { readonly field?: number; readonly multiplier?: number } | undefined

/** The rate of a field, as a function if it depends on arguments or on the context. */
function findRate(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): Pick<VisitedField, 'own' | 'multiplier' | 'rate'> {
  const { complexity } = field.extensions
  if (typeof complexity !== 'function') return ratedBy(field.type, complexity)
  const constants = readsVariables(node.arguments) ? undefined : getArgumentValues(field, node)
  const argumentsOf = compileArguments({ def: field, nodes: [node] })
  return {
    own: 0,
    multiplier: 1,
    rate(variables, context) {
      const args = constants ?? argumentsOf({ variables, args: undefined })
      return ratedBy(field.type, complexity(args, context, field))
    },
  }
}

function ratedBy(type: GraphQLOutputType, price: unknown) {
  // Extensions have no types. The builder checks prices.
  const known = price as FieldPrice
  const { field: own = defaultPoints, multiplier } = typeof known === 'object' ? known : { field: known }
  const otherwise = isListType(getNullableType(type)) ? listMultiplier : 1
  return { own, multiplier: Math.max(0, multiplier ?? otherwise) }
}

const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  )

/** Whether a variable is in one of the arguments. */
function readsVariables(nodes: readonly ArgumentNode[] = []): boolean {
  let isRead = false
  for (const node of nodes) {
    visit(node, {
      Variable() {
        isRead = true
        return BREAK
      },
    })
  }
  return isRead
}
