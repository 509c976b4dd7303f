import type { Client } from '@portolan/client'
import type { PortolanError } from '@portolan/client/errors'
import { type FieldNode, Kind, type OperationDefinitionNode, print, visit } from 'graphql'

/** A query for the cursor from which a subscription begins now. */
export interface StartingPoint {
  readonly document: string
  /** The variables of the subscription that it uses too. */
  readonly variables: readonly string[]
}

/** Where each query has the cursor. */
interface StartData {
  readonly account?: { readonly activity: { readonly liveCursor: string | null } | null } | null
  readonly chain?: { readonly blocks: { readonly edges: readonly { readonly cursor: string }[] } | null } | null
}

/** The query for a subscription of records, with the same arguments. */
export function toStartingPoint(operation: OperationDefinitionNode, root: FieldNode): StartingPoint {
  const argument = (name: string) => root.arguments?.find((each) => each.name.value === name)
  const [address, chainIds, chainId] = ['address', 'chainIds', 'chainId'].map(argument)
  const used = new Set<string>()
  for (const each of [address, chainIds, chainId])
    if (each) visit(each, { [Kind.VARIABLE]: ({ name }) => void used.add(name.value) })
  const definitions = (operation.variableDefinitions ?? []).filter(({ variable }) => used.has(variable.name.value))
  const filter = chainIds ? `, filter: { ${print(chainIds)} }` : ''
  const selection =
    root.name.value === 'blocks'
      ? `chain(${chainId ? print(chainId) : ''}) { blocks(first: 1) { edges { cursor } } }`
      : `account(${address ? print(address) : ''}) { activity(first: 1${filter}) { liveCursor } }`
  const head = definitions.length > 0 ? `(${definitions.map(print).join(', ')})` : ''
  return { document: `query StartingPoint${head} { ${selection} }`, variables: [...used] }
}

/**
 * The cursor from which a subscription begins now. It is kept before the first event, so that nothing is missing however
 * long that takes. Undefined if the gateway has none. A chain that cannot be read begins when it is back: `log` gets a sentence
 * that names it.
 */
export async function findStartingPoint(
  client: Pick<Client, 'query'>,
  { document, variables: names }: StartingPoint,
  variables: Readonly<Record<string, unknown>>,
  log: (line: string) => void,
): Promise<string | undefined> {
  const given = Object.fromEntries(names.map((name) => [name, variables[name]]))
  let fault: PortolanError | undefined
  const onPartial = (error: PortolanError) => {
    fault = error
  }
  const { account, chain } = await client.query<StartData, object>(document, given, { onPartial })
  if (fault && fault.unavailableChains.length === 0) throw fault
  if (fault) log(`${fault.message} Its events begin when it is back.`)
  return account?.activity?.liveCursor ?? chain?.blocks?.edges[0]?.cursor
}
