import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql'
import type { CompileOptions } from './compileResolver.ts'

/** The fields of an object type that a selection asks for, by the name in the response. */
export type FieldGroups = ReadonlyMap<string, readonly FieldNode[]>

/**
 * Collects fields as graphql-js does: in the order of the document, with fragments in place, and fields
 * of the same response name together. graphql-js does not export its own function.
 */
export function collectFields(
  { schema, fragments, conditions }: Pick<CompileOptions, 'schema' | 'fragments' | 'conditions'>,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): FieldGroups {
  const groups = new Map<string, FieldNode[]>()
  const visited = new Set<string>()

  const isIncluded = (node: { readonly directives?: readonly DirectiveNode[] | undefined }) =>
    !node.directives?.length ||
    (getDirectiveValues(GraphQLSkipDirective, node, conditions)?.if !== true &&
      getDirectiveValues(GraphQLIncludeDirective, node, conditions)?.if !== false)

  const appliesTo = ({ typeCondition }: Condition) => {
    if (!typeCondition) return true
    const condition = typeFromAST(schema, typeCondition)
    return condition === type || (isAbstractType(condition) && schema.isSubType(condition, type))
  }

  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selection)) continue
      if (selection.kind === 'FragmentSpread') {
        const name = selection.name.value
        if (visited.has(name)) continue
        visited.add(name)
        const fragment = fragments[name]
        if (fragment && appliesTo(fragment)) collect(fragment.selectionSet)
      } else if (selection.kind === 'InlineFragment') {
        if (appliesTo(selection)) collect(selection.selectionSet)
      } else {
        const name = (selection.alias ?? selection.name).value
        const group = groups.get(name)
        if (group) group.push(selection)
        else groups.set(name, [selection])
      }
    }
  }
  for (const selectionSet of selectionSets) collect(selectionSet)
  return groups
}

type Condition = { readonly typeCondition?: FragmentDefinitionNode['typeCondition'] | undefined }
