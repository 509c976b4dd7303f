import { readFile } from 'node:fs/promises'
import { getOperationAST, Kind, parse, valueFromASTUntyped } from 'graphql'
import { z } from 'zod'
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
  const documents = await Promise.all(tabs.map(async ([tab, name]) => ({ tab, ...(await readDocument(name)) })))
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

/** The documents of the package, from the sources and from what is compiled alike. */
const folder = new URL('../../../examples/documents/', import.meta.url)

/** A document of `examples/documents`, and the defaults of its variables, which fit the sandbox. */
export interface ExampleDocument {
  readonly query: string
  readonly defaults: Readonly<Record<string, unknown>>
}

/** Reads a document by its name, without the extension. Throws if the package has been cut. */
async function readDocument(name: string): Promise<ExampleDocument> {
  const query = await readFile(new URL(`${name}.graphql`, folder), 'utf8')
  const operation = getOperationAST(parse(query))
  const defaults = (operation?.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue && defaultValue.kind !== Kind.NULL
      ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const]
      : [],
  )
  return { query: withoutPreface(query), defaults: Object.fromEntries(defaults) }
}

/** A document without the comment that it begins with: an editor shows the query at once, and the docs have the comment. */
const withoutPreface = (document: string): string => document.replace(/^(?:#.*\n)+\s*/, '')

const answer = z.object({ chains: z.array(z.object({ chainId: z.string() })) })

/** A name of the served network: its chain ids, sorted. Empty if they cannot be read. */
export async function networkName(execute: ExecuteFn): Promise<string> {
  const { data } = answer.safeParse(await execute('{ chains { chainId } }'))
  const ids = data?.chains.map(({ chainId }) => chainId) ?? []
  return ids.toSorted().join(' ')
}

/**
 * A script for the page, to run before GraphiQL. GraphiQL keeps its tabs in the browser by the address of the
 * page, where another network may be served the next time. The script puts the tabs of that network aside, and
 * brings back those of this one.
 */
export const keepTabsOf = (network: string): string => `
        (function (network) {
          try {
            const last = localStorage.getItem('portolan:network');
            if (last === network) return;
            const tabs = localStorage.getItem('graphiql:tabState');
            if (last !== null && tabs !== null) localStorage.setItem('portolan:tabs ' + last, tabs);
            const own = localStorage.getItem('portolan:tabs ' + network);
            if (own === null) localStorage.removeItem('graphiql:tabState');
            else localStorage.setItem('graphiql:tabState', own);
            localStorage.setItem('portolan:network', network);
          } catch {
            // The browser keeps nothing.
          }
        })(${JSON.stringify(network).replaceAll('<', '\\u003c')});`
