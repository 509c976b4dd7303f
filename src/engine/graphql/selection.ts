import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
} from 'graphql'

/**
 * The selections so far, by the nodes of the field, which all gateways of the process can share. An executor
 * has another list of nodes for each value of the variables of `@skip` and `@include`.
 */
const known = new WeakMap<readonly FieldNode[], ReadonlySet<string>>()

/** The names of the fields that an operation selects on the value of a field that is an object type. */
export function selectedFields(info: GraphQLResolveInfo): ReadonlySet<string> {
  let names = known.get(info.fieldNodes)
  if (!names) {
    names = collectNames(info)
    known.set(info.fieldNodes, names)
  }
  return names
}

/** Whether an operation selects a field of this name anywhere below a field. */
export function isSelectedBelow(info: GraphQLResolveInfo, name: string): boolean {
  const isIn = (selections: readonly SelectionNode[]): boolean =>
    selections.some((selection) => {
      if (!isIncluded(info, selection)) return false
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        return isIn(info.fragments[selection.name.value]?.selectionSet.selections ?? [])
      }
      const isNamed = selection.kind === Kind.FIELD && selection.name.value === name
      return isNamed || isIn(selection.selectionSet?.selections ?? [])
    })
  return info.fieldNodes.some(({ selectionSet }) => isIn(selectionSet?.selections ?? []))
}

function collectNames(info: GraphQLResolveInfo): ReadonlySet<string> {
  const names = new Set<string>()
  const collect = (selections: readonly SelectionNode[]) => {
    for (const selection of selections) {
      if (!isIncluded(info, selection)) continue
      if (selection.kind === Kind.FIELD) names.add(selection.name.value)
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet.selections)
      else collect(info.fragments[selection.name.value]?.selectionSet.selections ?? [])
    }
  }
  for (const { selectionSet } of info.fieldNodes) collect(selectionSet?.selections ?? [])
  return names
}

function isIncluded({ variableValues }: GraphQLResolveInfo, node: SelectionNode): boolean {
  if (!node.directives?.length) return true
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues)
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues)
  return skip?.if !== true && include?.if !== false
}
