/** The services of a started gateway. */
export interface Started {
  readonly version: string
  readonly url: string
  readonly chainIds: readonly string[]
  readonly hasRouter: boolean
  readonly isSandbox: boolean
  readonly explorer: 'served' | 'unbuilt' | 'off'
  readonly docs: 'served' | 'unbuilt' | 'off'
  readonly graphiql: boolean
}

const sample = '{ chains { prettyName status { height } } }'

/** The text of a terminal when the gateway has started: where to go, and a query to try. */
export function banner(started: Started): string {
  const { version, chainIds, hasRouter, isSandbox, graphiql } = started
  const home = new URL('/', reachable(started.url))
  const explorer = {
    served: `  Explorer   ${home}   (open it in a browser)\n`,
    unbuilt: '  Explorer   not built: npm run explorer builds it\n',
    off: '',
  }[started.explorer]
  const docs = {
    served: `  Docs       ${new URL('docs/', home)}\n`,
    unbuilt: `  Docs       ${new URL('docs/', home)}   (sources; npm run docs builds them)\n`,
    off: '',
  }[started.docs]
  const url = reachable(started.url)
  const network = [...chainIds.slice(0, 8), ...(hasRouter ? ['router'] : [])].join(', ')
  const more = chainIds.length > 8 ? ` and ${chainIds.length - 8} more chains` : ''
  const endings = '\nIn the sandbox, a transfer ends as its hash does: 01 succeeds, e0 is refunded.\n'
  return `
Portolan ${version} serves ${isSandbox ? 'the sandbox, a simulated network' : network + more}

${explorer}${graphiql ? `  GraphiQL   ${url}   (open it in a browser)\n` : ''}${docs}  GraphQL    ${url}   (POST, GET, event streams)
  WebSocket  ${url.replace('http', 'ws')}
  Health     ${new URL('/health', url)}, /ready, /metrics

Try it:
  curl -s ${url} \\
    -H 'content-type: application/json' \\
    -d '{"query":"${sample}"}'
${isSandbox ? endings : ''}
Ctrl-C stops it.

`
}

/** A URL that can be opened on this machine: a server listens on 0.0.0.0, but no client can connect to it. */
export const reachable = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//127.0.0.1')
