import { usePages, useQuery } from '@portolan/client/react'
import type { PageProps } from '../../app/pageProps.ts'
import { ProposersDocument } from '../../generated/graphql.ts'
import { ChainText } from '../../parts/ChainText.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import { MissingRecord } from '../../parts/MissingRecord.tsx'
import { Loaded, Panel } from '../../parts/Panel.tsx'
import { ChainName, Height, Proposer } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { text } from '../../text.ts'
import { count, duration } from '../../values/format.ts'
import { tallyProposers } from '../../values/tallies.ts'

/** Who proposed the newest blocks of a chain. The graph has no list of validators: blocks are counted. */
export function Validators({ place }: PageProps) {
  const [chainId = ''] = place.parts
  const variables = { chainId }
  const query = useQuery(ProposersDocument, variables)
  const chain = query.data?.chain
  const { rows, hasMore, loadMore } = usePages(query, {
    rowsOf: (page) => page.chain?.blocks?.nodes ?? [],
    pageInfoOf: (page) => page.chain?.blocks?.pageInfo,
  })
  return (
    <>
      <h1>
        {text.validators} · {chain ? <ChainName chain={chain} /> : <ChainText>{chainId}</ChainText>}
      </h1>
      <Panel title={text.proposers} of={query}>
        <FaultNote error={query.errorAt('chain', 'blocks')} onRetry={query.refetch} />
        <Loaded of={query}>
          {() => {
            const [newest, oldest] = [rows[0], rows.at(-1)]
            if (!chain) return <MissingRecord what={text.chain} value={chainId} />
            if (!newest || !oldest) return <p class="nothing">{text.nothing}</p>
            return (
              <>
                <p class="note">
                  {text.countedBlocks({
                    blocks: count(rows.length),
                    first: count(oldest.height),
                    last: count(newest.height),
                    time: duration(secondsBetween(oldest.timestamp, newest.timestamp)),
                  })}{' '}
                  {text.proposersHint}
                </p>
                <ProposerTable blocks={rows} chainId={chainId} />
              </>
            )
          }}
        </Loaded>
        <LoadMore hasMore={hasMore} loadMore={loadMore} isAuto={false} />
      </Panel>
    </>
  )
}

const secondsBetween = (from: string | null | undefined, to: string | null | undefined): number =>
  from && to ? (Date.parse(to) - Date.parse(from)) / 1000 : 0

const ProposerTable = ({ blocks, chainId }: { blocks: Parameters<typeof tallyProposers>[0]; chainId: string }) => (
  <Table
    caption={text.proposers}
    heads={[text.validator, { number: text.blocks }, { number: text.newestBlock }, text.age]}
  >
    {tallyProposers(blocks).map(({ proposer, blocks: proposed, newest }) => (
      <tr key={proposer.operatorAddress ?? proposer.moniker}>
        <td>
          <Proposer of={proposer} />
        </td>
        <td class="number">{count(proposed)}</td>
        <td class="number">
          <Height chainId={chainId} value={newest.height} />
        </td>
        <td>
          <Time value={newest.timestamp} />
        </td>
      </tr>
    ))}
  </Table>
)
