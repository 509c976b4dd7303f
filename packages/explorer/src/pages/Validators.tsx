import { count, duration } from '../app/format.ts'
import type { PageProps } from '../app/pageProps.ts'
import { tallyProposers } from '../app/tallies.ts'
import { usePages } from '../app/usePages.ts'
import { useQuery } from '../app/useQuery.ts'
import { ProposersDocument } from '../generated/graphql.ts'
import { Failed } from '../parts/Failed.tsx'
import { More } from '../parts/More.tsx'
import { Loaded, Panel } from '../parts/Panel.tsx'
import { Table } from '../parts/Table.tsx'
import { ChainName, Height, Proposer, Time } from '../parts/text.tsx'
import { Words } from '../parts/Words.tsx'
import { text } from '../text.ts'
import { Missing } from './Lost.tsx'

/** Who proposed the newest blocks of a chain. The graph has no list of validators: blocks are counted. */
export function Validators({ place }: PageProps) {
  const [chainId = ''] = place.parts
  const variables = { chainId }
  const query = useQuery(ProposersDocument, variables)
  const chain = query.data?.chain
  const { rows, hasMore, load } = usePages(ProposersDocument, variables, {
    first: query.data,
    rowsOf: (page) => page.chain?.blocks?.nodes ?? [],
    infoOf: (page) => page.chain?.blocks?.pageInfo,
  })
  return (
    <>
      <h1>
        {text.validators} · {chain ? <ChainName chain={chain} /> : <Words>{chainId}</Words>}
      </h1>
      <Panel title={text.proposers} of={query.operation}>
        <Failed error={query.errorAt('chain', 'blocks')} onRetry={query.reload} />
        <Loaded of={query}>
          {() => {
            const [newest, oldest] = [rows[0], rows.at(-1)]
            if (!chain) return <Missing what={text.chain} value={chainId} />
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
        <More hasMore={hasMore} load={load} isAuto={false} />
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
