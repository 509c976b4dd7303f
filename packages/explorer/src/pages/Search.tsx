import { useEffect } from 'preact/hooks'
import { count, dollars } from '../app/format.ts'
import { links } from '../app/links.ts'
import type { PageProps } from '../app/pageProps.ts'
import { useQuery } from '../app/useQuery.ts'
import { SearchDocument, type SearchQuery } from '../generated/graphql.ts'
import { Unavailable } from '../parts/Failed.tsx'
import { Loaded, Panel } from '../parts/Panel.tsx'
import { Table } from '../parts/tables.tsx'
import { ChainName, None, Origin, Short, Words } from '../parts/text.tsx'
import { text } from '../text.ts'

type Found = NonNullable<SearchQuery['search']>['results'][number]

/** What a text can mean on all chains. One exact match is opened at once. */
export function Search({ place }: PageProps) {
  const query = place.query.get('q')?.trim() ?? ''
  const found = useQuery(SearchDocument, { text: query }, { skip: query === '' })
  const results = found.data?.search?.results
  const only = results?.length === 1 && results[0]?.match === 'EXACT' ? results[0] : undefined
  const target = only && targetOf(only, query)
  useEffect(() => {
    // In place of this page, so that "back" leads to where the search began.
    if (!target) return
    history.replaceState(history.state, '', target.href)
    dispatchEvent(new PopStateEvent('popstate'))
  }, [target?.href])
  return (
    <>
      <h1>
        {text.searchLabel}: <Words>{query}</Words>
      </h1>
      <Panel title={text.results} of={found.operation}>
        <Loaded of={found}>
          {({ search }) =>
            search && (
              <>
                <Unavailable chains={search.unavailableChains} />
                {search.isRouterUnavailable && <p class="failed">{text.routerUnavailable}</p>}
                {search.results.length === 0 && (
                  <p class="nothing">
                    {text.noResults} {text.notFoundHint}
                  </p>
                )}
                {search.results.some(({ match }) => match === 'POSSIBLE') && <p>{text.candidates}</p>}
                {search.results.length > 0 && <Results rows={search.results} query={query} />}
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}

function Results({ rows, query }: { rows: readonly Found[]; query: string }) {
  const targets = rows.map((row) => ({ row, ...targetOf(row, query) }))
  const hasWorth = targets.some(({ worth }) => worth != null)
  const heads = [text.name, text.type, text.chain, ...(hasWorth ? [{ number: text.priceOrBalance }] : [])]
  return (
    <Table caption={text.searchLabel} heads={heads}>
      {targets.map(({ row, kind, href, name, worth }, index) => {
        const { node } = row
        const chain = node.__typename === 'FollowCandidate' ? node.candidateOf : row.chain
        return (
          <tr key={index}>
            <td class="wide">
              <a href={href}>{name.length > 30 ? <Short value={name} /> : <Words>{name}</Words>}</a>
              {node.__typename === 'Asset' && (
                <small class="second">
                  <Origin of={node} always /> <Short value={node.denom} />
                </small>
              )}
            </td>
            <td>{kind}</td>
            <td>{chain ? <ChainName chain={chain} /> : text.allChains}</td>
            {hasWorth && <td class="number">{dollars(worth) ?? <None />}</td>}
          </tr>
        )
      })}
    </Table>
  )
}

/** Where a result leads, and what it is or has in US dollars. */
interface Target {
  readonly kind: string
  readonly href: string
  readonly name: string
  readonly worth?: string | null | undefined
}

function targetOf({ node, chain }: Found, query: string): Target {
  const chainId = chain?.chainId ?? ''
  switch (node.__typename) {
    case 'Block':
      return { kind: text.block, href: links.block(chainId, node.height), name: count(node.height) }
    case 'Transaction':
    case 'EvmTransaction':
      return {
        kind: text.transaction,
        href: links.transaction(chainId, node.hash),
        name: node.hash,
      }
    case 'Account': {
      const name = node.chainAccounts[0]?.address ?? node.hexAddress
      return { kind: text.account, href: links.account(name), name, worth: node.balances?.usdValue }
    }
    case 'Asset': {
      const name = [node.symbol, node.name].filter(Boolean).join(' · ') || node.denom
      return { kind: text.asset, href: links.asset(node.chainId, node.denom), name, worth: node.usdPrice }
    }
    case 'NftCollection':
      return {
        kind: text.collection,
        href: links.collection(chainId, node.address),
        name: node.collectionName,
      }
    case 'Chain':
      return { kind: text.chain, href: links.chain(node.chainId), name: node.prettyName }
    case 'FollowCandidate': {
      const kind = node.answer === 'KNOWN' ? text.transfer : text.possibleTransfer
      return { kind, href: links.transfer(node.chainId, node.candidateHash), name: node.candidateHash }
    }
    default:
      return { kind: text.unknown, href: links.search(query), name: query }
  }
}
