import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import { compileFields } from './compileSelection.ts'
import type { CompiledField } from './executeFields.ts'
import { type Output, textOutput, valueOutput } from './output.ts'
import type { Run } from './run.ts'

/** The compiled operations of a document. They are kept for as long as the document itself is. */
export interface Plan {
  readonly fragments: Record<string, FragmentDefinitionNode>
  /** Variables that `@skip` and `@include` read, in all operations. */
  readonly conditions: readonly string[]
  /** Compiled operations, by `variantKey`. */
  readonly variants: Map<string, Variant>
  /** Bounds the compiled fields by the size of the document. */
  readonly maxFields: number
  /** Whether compiled operations are kept. Not if the document compiles to too many fields. */
  isKept: boolean
}

/** An operation compiled for one combination of the values of its conditions. */
interface Variant {
  readonly fields: readonly CompiledField[]
  /** Number of compiled fields. Grows when a run reaches a position for the first time. */
  readonly size: { count: number }
}

/** Reads from a document what its plan depends on. */
export function createPlan(document: DocumentNode): Plan {
  const fragments: Plan['fragments'] = Object.create(null)
  const conditions = new Set<string>()
  visit(document, {
    FragmentDefinition(node) {
      fragments[node.name.value] = node
    },
    Directive({ name, arguments: nodes = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return
      for (const { value } of nodes)
        if (value.kind === Kind.VARIABLE) conditions.add(value.name.value)
    },
  })
  const maxFields = 64 + 4 * (document.tokenCount ?? 0)
  return { fragments, conditions: [...conditions], variants: new Map(), maxFields, isKept: true }
}

/** The key of a variant. Undefined if a condition is null, which is an error in some position. */
export function variantKey(
  { conditions }: Plan,
  { name, variableDefinitions = [] }: OperationDefinitionNode,
  variables: Run['variables'],
  isText: boolean,
): string | undefined {
  let key = `${name?.value ?? ''}:`
  for (const condition of conditions) {
    const value = variables[condition]
    if (typeof value === 'boolean') key += value ? '1' : '0'
    else if (variableDefinitions.some(({ variable }) => variable.name.value === condition)) return
    else key += '-'
  }
  return isText ? `${key} text` : key
}

/** The output of a variant. */
export const outputOf = (isText: boolean): Output => (isText ? textOutput : valueOutput)

/** The compiled fields at the root of an operation. They are compiled for the first run with that key. */
export function fieldsOf(
  schema: GraphQLSchema,
  plan: Plan,
  key: string,
  type: GraphQLObjectType,
  run: Run,
  output: Output,
): readonly CompiledField[] {
  const { variants, maxFields } = plan
  const existing = variants.get(key)
  if (existing) return existing.fields
  const count = [...variants.values()].reduce((sum, { size }) => sum + size.count, 0)
  if (count > maxFields) variants.clear()
  const variant = compile(schema, plan, type, run, output)
  if (plan.isKept) variants.set(key, variant)
  return variant.fields
}

function compile(
  schema: GraphQLSchema,
  plan: Plan,
  type: GraphQLObjectType,
  run: Run,
  output: Output,
): Variant {
  const size = { count: 0 }
  const onField = () => {
    size.count += 1
    if (size.count <= plan.maxFields) return
    // Each further run compiles its own fields.
    plan.isKept = false
    plan.variants.clear()
  }
  const { fragments } = plan
  const { operation, variables: conditions } = run
  const options = { schema, fragments, conditions, output, onField }
  return { size, fields: compileFields(options, type, [operation.selectionSet]) }
}
