import { usePages, useQuery } from '@portolan/client/react'
import { AccountCallsDocument, type CallFragment } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { functionOf } from '../values/contractWords.ts'
import { count, exact, scaled } from '../values/format.ts'
import { FaultNote } from './FaultNote.tsx'
import { LoadMore } from './LoadMore.tsx'
import { NoValue } from './NoValue.tsx'
import { Loaded, Panel } from './Panel.tsx'
import { Address, Height, TxHash } from './recordLinks.tsx'
import { Table } from './Table.tsx'

export interface EvmProps {
  readonly address: string
  readonly chain: { readonly chainId: string; readonly prettyName: string }
}

/** The calls that an account made or received inside EVM transactions. */
export function InternalCalls({ address, chain: { chainId, prettyName } }: EvmProps) {
  const variables = { chainId, address }
  const query = useQuery(AccountCallsDocument, variables)
  const list = query.data?.chain?.account?.evmInternalTransactions
  const { rows, hasMore, loadMore } = usePages(query, {
    rowsOf: ({ chain }) => chain?.account?.evmInternalTransactions?.nodes ?? [],
    pageInfoOf: ({ chain }) => chain?.account?.evmInternalTransactions?.pageInfo,
  })
  return (
    <Panel title={`${text.calls} · ${prettyName}`} of={query}>
      <FaultNote error={query.errorAt('chain', 'account', 'evmInternalTransactions')} onRetry={query.refetch} />
      <Loaded of={query}>
        {() => (rows.length > 0 ? <CallTable rows={rows} /> : list && <p class="nothing">{text.nothing}</p>)}
      </Loaded>
      <LoadMore hasMore={hasMore} loadMore={loadMore} isAuto={false} />
    </Panel>
  )
}

function CallTable({ rows }: { rows: readonly CallFragment[] }) {
  return (
    <Table
      caption={text.calls}
      heads={[
        ...[text.functionName, text.hashAndBlock, text.from, text.to],
        ...[{ number: text.value }, { number: text.gas }],
      ]}
      isStacked
    >
      {rows.map((call) => {
        const { chainId, evmFeeAsset: asset } = call.chain
        return (
          <tr key={`${call.transactionHash}${call.index}`}>
            <td class="what">
              <span class="tag">{call.kind}</span> {functionOf(call.input)}
            </td>
            <td class="wide">
              <TxHash chainId={chainId} value={call.transactionHash} />
              <small class="second">
                <Height chainId={chainId} value={call.height} />
              </small>
            </td>
            <td class="wide">
              <Address value={call.from?.address} />
            </td>
            <td class="wide">
              <Address value={call.to?.address} />
            </td>
            <td class="number">
              {call.value && call.value !== '0' ? (
                `${exact(scaled(call.value, asset?.decimals ?? 18))} ${asset?.symbol ?? ''}`
              ) : (
                <NoValue />
              )}
            </td>
            <td class="number">{call.gasUsed ? count(call.gasUsed) : <NoValue />}</td>
          </tr>
        )
      })}
    </Table>
  )
}
