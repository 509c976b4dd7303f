import { useQuery } from '@portolan/client/react'
import { SearchDocument } from '../../generated/graphql.ts'
import { Panel } from '../../parts/Panel.tsx'
import { SearchResults } from '../../parts/SearchResults.tsx'
import { text } from '../../text.ts'

/** What else a hash can be that is no known transaction: a block, or a transfer of a chain without an indexer. */
export function OtherMatches({ hash }: { hash: string }) {
  const found = useQuery(SearchDocument, { text: hash })
  const results = found.data?.search?.results ?? []
  if (results.length === 0) return null
  return (
    <Panel title={text.results} of={found}>
      {results.some(({ match }) => match === 'POSSIBLE') && <p>{text.candidates}</p>}
      <SearchResults rows={results} query={hash} />
    </Panel>
  )
}
