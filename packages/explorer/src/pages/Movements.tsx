import { withoutFee } from '../app/tokenTransfers.ts'
import type { Operation } from '../app/useQuery.ts'
import type { CosmosPartsFragment, EvmPartsFragment } from '../generated/graphql.ts'
import { Panel } from '../parts/Panel.tsx'
import { TransferAmount, type TransferParts } from '../parts/TransferAmount.tsx'
import { Table } from '../parts/tables.tsx'
import { Address } from '../parts/text.tsx'
import { text } from '../text.ts'

interface Movement {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly of: TransferParts
}

/** What a transaction moved between accounts: coins and tokens, without its fee. */
export function Movements({
  cosmos,
  evm,
  of,
}: {
  cosmos: CosmosPartsFragment | null | undefined
  evm: EvmPartsFragment | null | undefined
  of: Operation
}) {
  const all = (cosmos?.coinTransfers ?? []).flatMap(({ sender, recipient, coins }) =>
    (coins ?? []).map((coin) => ({ ...coin, from: sender, to: recipient })),
  )
  const payer = cosmos?.fee?.payer ?? cosmos?.signers?.[0]?.account
  const moved = withoutFee(all, { coins: cosmos?.fee?.amount ?? [], payer })
  const coins: readonly Movement[] = moved.map((of) => ({ from: of.from?.address, to: of.to?.address, of }))
  const tokens: readonly Movement[] = (evm?.tokenTransfers ?? []).map((transfer) => ({
    from: transfer.from?.address,
    to: transfer.to?.address,
    of: transfer,
  }))
  const rows = [...coins, ...tokens]
  const chainId = cosmos?.chain.chainId ?? evm?.chain.chainId
  if (rows.length === 0) return null
  return (
    <Panel title={text.moved} note={rows.length} of={of}>
      <Table caption={text.moved} heads={[text.from, text.to, { number: text.amount }]} isStacked>
        {rows.map(({ from, to, of }, index) => (
          <tr key={index}>
            <td class="wide">
              <Address value={from} />
            </td>
            <td class="wide to">
              <Address value={to} />
            </td>
            <td class="number line">
              <TransferAmount of={of} chainId={chainId ?? ''} />
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  )
}
