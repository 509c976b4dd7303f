import { useState } from 'preact/hooks'
import { links } from '../app/links.ts'
import { usePages } from '../app/usePages.ts'
import { useQuery } from '../app/useQuery.ts'
import { AccountEvmDocument } from '../generated/graphql.ts'
import { Failed } from '../parts/Failed.tsx'
import { More } from '../parts/More.tsx'
import { Loaded, Panel } from '../parts/Panel.tsx'
import { Table } from '../parts/tables.tsx'
import { Address, Height, None, Result, TxHash } from '../parts/text.tsx'
import { text } from '../text.ts'
import { TransferAmount } from './AccountTransfers.tsx'
import { Calls, type EvmProps } from './Calls.tsx'

/** The sender of an EVM transaction that MiniEVM made of a Cosmos one. */
const noSender = `0x${'0'.repeat(40)}`

/** What an account did in the EVM of a chain: its transactions, and the calls inside others. */
export function AccountEvm({ address, chains }: { address: string; chains: readonly EvmProps['chain'][] }) {
  return chains.map((chain) => (
    <div key={chain.chainId}>
      <EvmTransactions address={address} chain={chain} />
      <Calls address={address} chain={chain} />
    </div>
  ))
}

function EvmTransactions({ address, chain: { chainId, prettyName } }: EvmProps) {
  const [sent, setSent] = useState('')
  const variables = { chainId, address, ...(sent && { filter: { signedOnly: true } }) }
  const query = useQuery(AccountEvmDocument, variables)
  const list = query.data?.chain?.account?.evmTransactions
  const { rows, hasMore, load } = usePages(AccountEvmDocument, variables, {
    first: query.data,
    rowsOf: ({ chain }) => chain?.account?.evmTransactions?.nodes ?? [],
    infoOf: ({ chain }) => chain?.account?.evmTransactions?.pageInfo,
  })
  return (
    <Panel title={`${text.evmTransactions} · ${prettyName}`} of={query.operation}>
      <div class="filters">
        <select aria-label={text.direction} value={sent} onChange={({ currentTarget: { value } }) => setSent(value)}>
          <option value="">{text.sentAndNamed}</option>
          <option value="sent">{text.sentOnly}</option>
        </select>
        <a href={links.contract(chainId, address)}>{text.asContract}</a>
      </div>
      <Failed error={query.errorAt('chain', 'account', 'evmTransactions')} onRetry={query.reload} />
      <Loaded of={query}>
        {() =>
          rows.length > 0 ? (
            <Table
              caption={text.evmTransactions}
              heads={[text.hash, text.moved, text.from, text.to, { number: text.height }, text.result]}
              isStacked
            >
              {rows.map((row) => (
                <tr key={row.hash}>
                  <td class="wide">
                    <TxHash chainId={chainId} value={row.hash} />
                  </td>
                  <td class="what">
                    {row.tokenTransfers?.slice(0, 3).map((transfer, index) => (
                      <div key={index}>
                        <TransferAmount of={transfer} chainId={chainId} />
                      </div>
                    ))}
                    {row.tokenTransfers?.length === 0 && <None />}
                  </td>
                  <td class="wide">
                    <Address value={row.from?.address === noSender ? null : row.from?.address} />
                  </td>
                  <td class="wide">
                    <Address value={row.to?.address} />
                  </td>
                  <td class="number">
                    <Height chainId={chainId} value={row.height} />
                  </td>
                  <td>
                    <Result ok={row.isSuccessful} isShort />
                  </td>
                </tr>
              ))}
            </Table>
          ) : (
            list && <p class="nothing">{text.nothing}</p>
          )
        }
      </Loaded>
      <More hasMore={hasMore} load={load} isAuto={false} />
    </Panel>
  )
}
