import { readDocument } from './documents.ts'
import { type ExecuteFn, findVariables } from './findVariables.ts'

/** A tab of GraphiQL. Its title is the name of the operation. */
export interface Tab {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * The tabs that GraphiQL opens with. In the sandbox their variables are the defaults of the documents.
 * Elsewhere they are looked up, so that each tab has a result on any network, and a tab without variables
 * that fit is left out.
 */
export async function findTabs(execute: ExecuteFn, isSandbox: boolean): Promise<readonly Tab[]> {
  const documents = await Promise.all(
    tabs.map(async ([tab, name]) => ({ tab, ...(await readDocument(name)) })),
  )
  if (isSandbox) {
    return documents.map(({ query, defaults }) => ({ query, variables: defaults }))
  }
  const found = await findVariables(execute)
  return documents.flatMap(({ tab, query }) => {
    const variables = tab === 'home' ? {} : found?.[tab]
    return variables ? [{ query, variables }] : []
  })
}

/** The tabs in their order, each with the name of its document. */
const tabs = [
  ['account', 'account'],
  ['home', 'explorer-home'],
  ['block', 'block'],
  ['search', 'search'],
  ['quote', 'quote'],
  ['watch', 'watch-transfer'],
] as const
