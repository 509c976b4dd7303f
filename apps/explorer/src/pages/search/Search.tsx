import { useQuery } from '@portolan/client/react'
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../../app/pageProps.ts'
import { NewestProposersDocument, type NewestProposersQuery, SearchDocument } from '../../generated/graphql.ts'
import { ChainText } from '../../parts/ChainText.tsx'
import { MissingChains } from '../../parts/FaultNote.tsx'
import { Loaded, Panel } from '../../parts/Panel.tsx'
import { ChainName, Proposer } from '../../parts/recordLinks.tsx'
import { SearchResults, targetOf } from '../../parts/SearchResults.tsx'
import { Table } from '../../parts/Table.tsx'
import { text } from '../../text.ts'
import { addressFault, beginsAsAddress } from '../../values/addressFault.ts'
import { tallyProposers } from '../../values/tallies.ts'

/** What a text can mean on all chains. One exact match is opened at once. */
export function Search({ place }: PageProps) {
  const query = place.query.get('q')?.trim() ?? ''
  const fault = addressFault(query)
  const found = useQuery(SearchDocument, { text: query }, { skip: query === '' || fault !== undefined })
  const results = found.data?.search?.results
  const isName = results?.every(({ match }) => match === 'PREFIX' || match === 'PART') ?? false
  const proposers = useQuery(NewestProposersDocument, {}, { skip: !isName || /\d{4}/.test(query) })
  const validators = validatorsWith(query, proposers.data)
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
        {text.searchLabel}: <ChainText>{query}</ChainText>
      </h1>
      <Panel title={text.results} of={found}>
        {fault && <p class="nothing">{text.addressFaults[fault]}</p>}
        <Loaded of={found}>
          {({ search }) =>
            search && (
              <>
                <MissingChains chains={search.unavailableChains} />
                {search.isRouterUnavailable && <p class="failed">{text.routerUnavailable}</p>}
                {search.results.length === 0 && validators.length === 0 && !proposers.isLoading && (
                  <p class="nothing">
                    {text.noResults} {beginsAsAddress(query) ? text.addressFaults.cut : text.notFoundHint}
                  </p>
                )}
                {search.results.some(({ match }) => match === 'POSSIBLE') && <p>{text.candidates}</p>}
                {search.results.length > 0 && <SearchResults rows={search.results} query={query} />}
              </>
            )
          }
        </Loaded>
      </Panel>
      {validators.length > 0 && (
        <Panel title={text.validators} of={proposers}>
          <Table caption={text.validators} heads={[text.validator, text.chain]}>
            {validators.map(({ chain, proposer }) => (
              <tr key={`${chain.chainId}${proposer.operatorAddress}`}>
                <td>
                  <Proposer of={proposer} />
                </td>
                <td>
                  <ChainName chain={chain} />
                </td>
              </tr>
            ))}
          </Table>
        </Panel>
      )}
    </>
  )
}

/** The proposers of the newest blocks with a text in their name. The graph has no list of validators. */
function validatorsWith(query: string, data: NewestProposersQuery | undefined) {
  const part = query.toLowerCase()
  return (data?.chains ?? []).flatMap((chain) =>
    tallyProposers(chain.blocks?.nodes.flatMap((block) => block ?? []) ?? [])
      .filter(({ proposer }) => proposer.moniker?.toLowerCase().includes(part))
      .map(({ proposer }) => ({ chain, proposer })),
  )
}
