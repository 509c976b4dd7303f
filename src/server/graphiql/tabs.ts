import { readFile } from 'node:fs/promises'
import { getOperationAST, Kind, parse, valueFromASTUntyped } from 'graphql'

/** A tab of GraphiQL. Its title is the name of the operation. */
export interface Tab {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * The tabs that GraphiQL opens with. In the sandbox they have the defaults of the documents as variables. Elsewhere they
 * are the documents that need none.
 */
export const readTabs = (isSandbox: boolean): Promise<readonly Tab[]> =>
  Promise.all((isSandbox ? sandboxTabs : tabsOfAnyNetwork).map(readTab))

/** The documents of the tabs, in their order. */
const tabsOfAnyNetwork = ['explorer-home', 'live-heads']
const sandboxTabs = ['account', 'explorer-home', 'block', 'search', 'quote', 'watch-transfer']

/** The documents of the package, from the sources and from what is compiled alike. */
const folder = new URL('../../../examples/documents/', import.meta.url)

/** Reads a document by its name, without the extension. Throws if the package has been cut. */
async function readTab(name: string): Promise<Tab> {
  const query = await readFile(new URL(`${name}.graphql`, folder), 'utf8')
  const operation = getOperationAST(parse(query))
  const defaults = (operation?.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue && defaultValue.kind !== Kind.NULL
      ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const]
      : [],
  )
  return { query: withoutPreface(query), variables: Object.fromEntries(defaults) }
}

/** A document without the comment that it begins with: an editor shows the query at once, and the docs have the comment. */
const withoutPreface = (document: string): string => document.replace(/^(?:#.*\n)+\s*/, '')

/** A name of the served network: its chain ids, sorted. */
export const networkName = (chainIds: Iterable<string>): string => [...chainIds].toSorted().join(' ')

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
