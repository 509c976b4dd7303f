import { z } from 'zod'
import type { ExecuteFn } from './findVariables.ts'

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
