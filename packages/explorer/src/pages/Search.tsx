import { useEffect } from 'preact/hooks'
import { isCutAddress } from '../app/cutAddress.ts'
import type { PageProps } from '../app/pageProps.ts'
import { useQuery } from '../app/useQuery.ts'
import { SearchDocument } from '../generated/graphql.ts'
import { Unavailable } from '../parts/Failed.tsx'
import { Loaded, Panel } from '../parts/Panel.tsx'
import { Results, targetOf } from '../parts/Results.tsx'
import { Words } from '../parts/text.tsx'
import { text } from '../text.ts'

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
                    {text.noResults} {isCutAddress(query) ? text.cutAddress : text.notFoundHint}
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
