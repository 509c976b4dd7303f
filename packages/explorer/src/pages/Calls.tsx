import { functionOf } from '../app/contractWords.ts'
import { count, exact, scaled } from '../app/format.ts'
import { usePages } from '../app/usePages.ts'
import { useQuery } from '../app/useQuery.ts'
import { AccountCallsDocument, type CallFragment } from '../generated/graphql.ts'
import { Failed } from '../parts/Failed.tsx'
import { More } from '../parts/More.tsx'
import { Loaded, Panel } from '../parts/Panel.tsx'
import { Table } from '../parts/Table.tsx'
import { Address, Height, None, TxHash } from '../parts/text.tsx'
import { text } from '../text.ts'

export interface EvmProps {
  readonly address: string
  readonly chain: { readonly chainId: string; readonly prettyName: string }
}

/** The calls that an account made or received inside EVM transactions. */
export function Calls({ address, chain: { chainId, prettyName } }: EvmProps) {
  const variables = { chainId, address }
  const query = useQuery(AccountCallsDocument, variables)
  const list = query.data?.chain?.account?.evmInternalTransactions
  const { rows, hasMore, load } = usePages(AccountCallsDocument, variables, {
    first: query.data,
    rowsOf: ({ chain }) => chain?.account?.evmInternalTransactions?.nodes ?? [],
    infoOf: ({ chain }) => chain?.account?.evmInternalTransactions?.pageInfo,
  })
  return (
    <Panel title={`${text.calls} · ${prettyName}`} of={query.operation}>
      <Failed error={query.errorAt('chain', 'account', 'evmInternalTransactions')} onRetry={query.reload} />
      <Loaded of={query}>
        {() => (rows.length > 0 ? <CallTable rows={rows} /> : list && <p class="nothing">{text.nothing}</p>)}
      </Loaded>
      <More hasMore={hasMore} load={load} isAuto={false} />
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
                <None />
              )}
            </td>
            <td class="number">{call.gasUsed ? count(call.gasUsed) : <None />}</td>
          </tr>
        )
      })}
    </Table>
  )
}
