import {
  type ASTNode,
  type ConstDirectiveNode,
  type DefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  type InterfaceTypeDefinitionNode,
  isInterfaceType,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  parseConstValue,
  print,
  printSchema,
} from 'graphql'

/** A directive, with its arguments as GraphQL writes them. */
export const directive = (name: string, values: Readonly<Record<string, string>> = {}): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: name },
  arguments: Object.entries(values).map(([argument, value]) => ({
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: argument },
    value: parseConstValue(value),
  })),
})

/** The directives to add to what is printed. */
export interface SdlDirectives {
  readonly ofField: (typeName: string, field: GraphQLField<unknown, unknown>) => readonly ConstDirectiveNode[]
  readonly ofType?: (typeName: string) => readonly ConstDirectiveNode[]
}

/** The schema in SDL with directives. `printSchema` knows none, so they are added to what it prints. */
export function sdlWith(schema: GraphQLSchema, { ofField, ofType }: SdlDirectives): string {
  const text = printSchema(schema)
  const added: { readonly at: number; readonly text: string }[] = []
  const add = (node: ASTNode | undefined, directives: readonly ConstDirectiveNode[]) => {
    if (!node?.loc || directives.length === 0) return
    added.push({ at: node.loc.end, text: directives.map((each) => ` ${print(each)}`).join('') })
  }
  for (const node of parse(text).definitions) {
    if (!isTypeWithFields(node)) continue
    const name = node.name.value
    const type = schema.getType(name)
    const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {}
    add(node.interfaces?.at(-1) ?? node.name, ofType?.(name) ?? [])
    for (const each of node.fields ?? []) {
      const field = fields[each.name.value]
      if (field) add(each, ofField(name, field))
    }
  }
  let from = 0
  const parts = added.map(({ at, text: own }) => {
    const part = text.slice(from, at) + own
    from = at
    return part
  })
  return `${parts.join('')}${text.slice(from)}\n`
}

const isTypeWithFields = (node: DefinitionNode): node is ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode =>
  node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION
