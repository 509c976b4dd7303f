import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
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

/** The values that an extension has on the fields which an operation selects anywhere below a field. */
export function extensionsBelow(info: GraphQLResolveInfo, extension: string): ReadonlySet<unknown> {
  const { fieldNodes, fragments, returnType, schema } = info
  const found = new Set<unknown>()
  const collect = (type: GraphQLNamedType | undefined, selections: readonly SelectionNode[] = []) => {
    for (const selection of selections) {
      if (!isIncluded(info, selection)) continue
      if (selection.kind === Kind.FIELD) {
        const isParent = isObjectType(type) || isInterfaceType(type)
        const field = isParent ? type.getFields()[selection.name.value] : undefined
        found.add(field?.extensions[extension])
        collect(getNamedType(field?.type), selection.selectionSet?.selections)
      } else {
        const part = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection
        const on = part?.typeCondition?.name.value
        collect(on === undefined ? type : schema.getType(on), part?.selectionSet.selections)
      }
    }
  }
  for (const { selectionSet } of fieldNodes) collect(getNamedType(returnType), selectionSet?.selections)
  return found
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
