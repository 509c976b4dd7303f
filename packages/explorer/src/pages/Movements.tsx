import { dollars } from '../app/format.ts'
import { movementsOf, unsigned } from '../app/movements.ts'
import type { Operation } from '../app/useQuery.ts'
import type { CosmosPartsFragment, EvmPartsFragment } from '../generated/graphql.ts'
import type { AmountParts } from '../parts/amount.tsx'
import { Panel } from '../parts/Panel.tsx'
import { Table } from '../parts/Table.tsx'
import { TransferAmount } from '../parts/TransferAmount.tsx'
import { Address, None } from '../parts/text.tsx'
import { text } from '../text.ts'
import { Changes } from './Changes.tsx'

interface Parts {
  readonly cosmos: CosmosPartsFragment | null | undefined
  readonly evm: EvmPartsFragment | null | undefined
}

/** All that a transaction moved, each thing once and without the fee, and what it changed of each balance on demand. */
export function Movements({ cosmos, evm, of }: Parts & { of: Operation }) {
  const rows = rowsOf({ cosmos, evm })
  const changes = cosmos?.balanceChanges?.filter(({ kind }) => kind !== 'FEE') ?? []
  const chainId = cosmos?.chain.chainId ?? evm?.chain.chainId ?? ''
  if (rows.length === 0) return null
  return (
    <Panel title={text.whatMoved} note={rows.length} of={of}>
      <Table
        caption={text.whatMoved}
        heads={[text.from, text.to, { number: text.amount }, { number: text.valueNow }]}
        isStacked
      >
        {rows.map(({ from, to, of }, index) => (
          <tr key={index}>
            <td class="wide">
              <Address value={from} />
            </td>
            <td class="wide to">
              <Address value={to} />
            </td>
            <td class="number line">
              <MovedThing of={of} chainId={chainId} />
            </td>
            <td class="number">{dollars(of.usdValue) ?? <None />}</td>
          </tr>
        ))}
      </Table>
      {changes.length > 0 && (
        <details>
          <summary>{text.changesOf(changes.length)}</summary>
          <Changes rows={changes} chainId={chainId} />
        </details>
      )}
    </Panel>
  )
}

function rowsOf({ cosmos, evm }: Parts) {
  const coins = (cosmos?.coinTransfers ?? []).flatMap(({ sender, recipient, coins }) =>
    (coins ?? []).map((coin) => ({ ...coin, from: sender, to: recipient })),
  )
  const payer = cosmos?.fee?.payer ?? cosmos?.signers?.[0]?.account
  return movementsOf({
    coins,
    tokens: evm?.tokenTransfers ?? [],
    changes: cosmos?.balanceChanges ?? [],
    fee: { coins: cosmos?.fee?.amount ?? [], payer },
  }).map((row) => ({ ...row, of: unsigned<Moved>(row.of) }))
}

type Moved = AmountParts & {
  readonly objectAddress?: string | null
  readonly collection?: { readonly address: string } | null
  readonly contract?: { readonly address: string } | null
}

/** What went from one account to another: an object, an NFT or an amount. */
const MovedThing = ({ of, chainId }: { of: Moved; chainId: string }) =>
  of.objectAddress && of.tokenId == null ? (
    <Address value={of.objectAddress} />
  ) : (
    <TransferAmount of={{ ...of, contract: of.collection ?? of.contract }} chainId={chainId} />
  )
