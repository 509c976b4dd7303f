import { usePages, useQuery } from '@portolan/client/react'
import { TokenTransfersDocument } from '../../generated/graphql.ts'
import { EmptyNote, FaultNote } from '../../parts/FaultNote.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import { Loaded, Panel } from '../../parts/Panel.tsx'
import { Address, TxHash } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { TransferAmount } from '../../parts/TransferAmount.tsx'
import { text } from '../../text.ts'

/** The newest transfers of a token of the EVM, by the logs of its contract. */
export function TokenTransfers({ chainId, contract }: { chainId: string; contract: string }) {
  const variables = { chainId, address: contract }
  const query = useQuery(TokenTransfersDocument, variables)
  const { rows, hasMore, loadMore } = usePages(query, {
    rowsOf: ({ chain }) =>
      chain?.account?.evmTransactions?.nodes.flatMap((tx) =>
        (tx?.tokenTransfers ?? [])
          .filter(({ contract }) => contract.address === chain.account?.address)
          .map((of) => ({ of, hash: tx?.hash ?? '', timestamp: tx?.timestamp ?? null })),
      ) ?? [],
    pageInfoOf: ({ chain }) => chain?.account?.evmTransactions?.pageInfo,
  })
  return (
    <Panel title={text.tokenTransfers} of={query}>
      <FaultNote error={query.errorAt('chain', 'account', 'evmTransactions')} onRetry={query.refetch} />
      <Loaded of={query}>
        {() =>
          rows.length === 0 ? (
            <EmptyNote />
          ) : (
            <Table
              caption={text.tokenTransfers}
              heads={[text.from, text.to, { number: text.amount }, text.hash, text.age]}
              isStacked
            >
              {rows.map(({ of, hash, timestamp }, index) => (
                <tr key={`${hash}${index}`}>
                  <td class="wide">
                    <Address value={of.from?.address} />
                  </td>
                  <td class="wide to">
                    <Address value={of.to?.address} />
                  </td>
                  <td class="number line">
                    <TransferAmount of={of} chainId={chainId} />
                  </td>
                  <td class="wide">
                    <TxHash chainId={chainId} value={hash} />
                  </td>
                  <td class="age">
                    <Time value={timestamp} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      <LoadMore hasMore={hasMore} loadMore={loadMore} isAuto={false} />
    </Panel>
  )
}
