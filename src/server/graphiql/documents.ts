import { readFile } from 'node:fs/promises'
import { getOperationAST, Kind, parse, valueFromASTUntyped } from 'graphql'

/** The documents of the package, from the sources and from what is compiled alike. */
const folder = new URL('../../../examples/documents/', import.meta.url)

/** A document of `examples/documents`, and the defaults of its variables, which fit the sandbox. */
export interface ExampleDocument {
  readonly query: string
  readonly defaults: Readonly<Record<string, unknown>>
}

/** Reads a document by its name, without the extension. Throws if the package has been cut. */
export async function readDocument(name: string): Promise<ExampleDocument> {
  const query = await readFile(new URL(`${name}.graphql`, folder), 'utf8')
  const operation = getOperationAST(parse(query))
  const defaults = (operation?.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue && defaultValue.kind !== Kind.NULL
      ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const]
      : [],
  )
  return { query, defaults: Object.fromEntries(defaults) }
}
