import { usePages } from '../app/usePages.ts'
import { useQuery } from '../app/useQuery.ts'
import { TokenTransfersDocument } from '../generated/graphql.ts'
import { Failed, Nothing } from '../parts/Failed.tsx'
import { More } from '../parts/More.tsx'
import { Loaded, Panel } from '../parts/Panel.tsx'
import { Table } from '../parts/Table.tsx'
import { TransferAmount } from '../parts/TransferAmount.tsx'
import { Address, Time, TxHash } from '../parts/text.tsx'
import { text } from '../text.ts'

/** The newest transfers of a token of the EVM, by the logs of its contract. */
export function TokenTransfers({ chainId, contract }: { chainId: string; contract: string }) {
  const variables = { chainId, address: contract }
  const query = useQuery(TokenTransfersDocument, variables)
  const { rows, hasMore, load } = usePages(TokenTransfersDocument, variables, {
    first: query.data,
    rowsOf: ({ chain }) =>
      chain?.account?.evmTransactions?.nodes.flatMap((tx) =>
        (tx?.tokenTransfers ?? [])
          .filter(({ contract }) => contract.address === chain.account?.address)
          .map((of) => ({ of, hash: tx?.hash ?? '', timestamp: tx?.timestamp ?? null })),
      ) ?? [],
    infoOf: ({ chain }) => chain?.account?.evmTransactions?.pageInfo,
  })
  return (
    <Panel title={text.moved} of={query.operation}>
      <Failed error={query.errorAt('chain', 'account', 'evmTransactions')} onRetry={query.reload} />
      <Loaded of={query}>
        {() =>
          rows.length === 0 ? (
            <Nothing />
          ) : (
            <Table
              caption={text.moved}
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
      <More hasMore={hasMore} load={load} isAuto={false} />
    </Panel>
  )
}
