import { usePages, useQuery } from '@portolan/client/react'
import { useEffect, useState } from 'preact/hooks'
import type { PageProps } from '../../app/pageProps.ts'
import { pushQuery } from '../../app/router.ts'
import { AssetsDocument, RoutableChainsDocument } from '../../generated/graphql.ts'
import { AssetTable } from '../../parts/AssetTable.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import { Loaded, Panel } from '../../parts/Panel.tsx'
import { text } from '../../text.ts'
import { count } from '../../values/format.ts'

/** Milliseconds without a key before the list is searched. */
const quietMs = 250

/** The assets that the router knows, on all chains or on one. */
export function Assets({ place: { query: asked } }: PageProps) {
  const [chainId, setChainId] = useState(asked.get('chain') ?? '')
  const [typed, setTyped] = useState(asked.get('q') ?? '')
  const [search, setSearch] = useState(typed.trim())
  useEffect(() => {
    // A link within the page and a step back have another query.
    const next = asked.get('q') ?? ''
    setChainId(asked.get('chain') ?? '')
    setTyped(next)
    setSearch(next.trim())
  }, [asked])
  useEffect(() => {
    const next = typed.trim()
    if (next === search) return
    const timer = setTimeout(() => {
      setSearch(next)
      pushQuery(queryOf(chainId, next), 'q')
    }, quietMs)
    return () => clearTimeout(timer)
  }, [typed, search, chainId])
  const choose = (next: string) => {
    setChainId(next)
    pushQuery(queryOf(next, search))
  }
  const variables = { chainId: chainId || null, ...(search && { search }) }
  const query = useQuery(AssetsDocument, variables)
  const { pages, rows, hasMore, loadMore } = usePages(query, {
    rowsOf: ({ assets }) => assets?.nodes ?? [],
    pageInfoOf: ({ assets }) => assets?.pageInfo,
  })
  const total = query.data?.assets?.totalCount
  return (
    <>
      <h1>{text.assets}</h1>
      <Panel title={text.listedAssets} note={total != null && count(total)} of={query}>
        <div class="filters">
          <input
            type="search"
            aria-label={`${text.searchLabel}: ${text.assets}`}
            placeholder={text.assetHint}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <ChainChoice chosen={chainId} onChoice={choose} />
        </div>
        <Loaded of={query}>
          {() =>
            rows.length === 0 ? (
              <p class="nothing">{text.nothing}</p>
            ) : (
              <AssetTable
                pages={pages.map(({ assets }, index) => ({
                  rows: assets?.nodes.flatMap((asset) => asset ?? []) ?? [],
                  variables: {
                    ...variables,
                    ...(index > 0 && { after: pages[index - 1]?.assets?.pageInfo.endCursor }),
                  },
                }))}
                hasChain={chainId === ''}
              />
            )
          }
        </Loaded>
        <LoadMore hasMore={hasMore} loadMore={loadMore} isAuto={false} />
        <p class="note">{text.assetsHint}</p>
      </Panel>
    </>
  )
}

const queryOf = (chainId: string, search: string) =>
  new URLSearchParams({ ...(chainId && { chain: chainId }), ...(search && { q: search }) })

/** The chains whose assets can be listed alone. */
function ChainChoice({ chosen, onChoice }: { chosen: string; onChoice: (chainId: string) => void }) {
  const { data } = useQuery(RoutableChainsDocument, {})
  const chains = data?.routableChains?.nodes.flatMap((chain) => chain ?? []) ?? []
  const isListed = chosen === '' || chains.some(({ chainId }) => chainId === chosen)
  return (
    <select aria-label={text.chain} value={chosen} onChange={({ currentTarget: { value } }) => onChoice(value)}>
      <option value="">{text.allChains}</option>
      {!isListed && (
        <option value={chosen} dir="auto">
          {chosen}
        </option>
      )}
      {chains.map(({ chainId, prettyName }) => (
        <option key={chainId} value={chainId} dir="auto">
          {prettyName}
        </option>
      ))}
    </select>
  )
}
