import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  getOperationAST,
  Kind,
  locatedError,
  type SelectionNode,
} from 'graphql'
import type { ExecutorArgs } from '../execution/compiled/executor.ts'

/** An error that ends the source of a subscription, at its field. */
export function atRootField(error: unknown, operation: NamedOperation): GraphQLError {
  const field = rootFieldOf(operation)
  return locatedError(error, field, field && [field.alias?.value ?? field.name.value])
}

type NamedOperation = Pick<ExecutorArgs, 'document' | 'operationName'>

/** The field at the root of a subscription. There is only one. */
export function rootFieldOf({ document, operationName }: NamedOperation): FieldNode | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition)
    }
  }
  const fieldIn = (selections: readonly SelectionNode[]): FieldNode | undefined => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) return selection
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      const field = inner && fieldIn(inner.selectionSet.selections)
      if (field) return field
    }
    return undefined
  }
  const operation = getOperationAST(document, operationName) ?? undefined
  return operation && fieldIn(operation.selectionSet.selections)
}
