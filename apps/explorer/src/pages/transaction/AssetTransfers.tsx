import type { CosmosPartsFragment, EvmPartsFragment } from '../../generated/graphql.ts'
import type { AmountParts } from '../../parts/Amount.tsx'
import { NoValue } from '../../parts/NoValue.tsx'
import type { Operation } from '../../parts/Operation.ts'
import { Panel } from '../../parts/Panel.tsx'
import { Address } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { TransferAmount } from '../../parts/TransferAmount.tsx'
import { text } from '../../text.ts'
import { dollars } from '../../values/format.ts'
import { BalanceChanges } from './BalanceChanges.tsx'
import { listAssetTransfers, unsigned } from './listAssetTransfers.ts'

interface Parts {
  readonly cosmos: CosmosPartsFragment | null | undefined
  readonly evm: EvmPartsFragment | null | undefined
}

/** The asset transfers of a transaction, each once and without the fee, and its balance changes on demand. */
export function AssetTransfers({ cosmos, evm, of }: Parts & { of: Operation }) {
  const rows = rowsOf({ cosmos, evm })
  const changes = cosmos?.balanceChanges?.filter(({ kind }) => kind !== 'FEE') ?? []
  const chainId = cosmos?.chain.chainId ?? evm?.chain.chainId ?? ''
  if (rows.length === 0) return null
  return (
    <Panel title={text.assetTransfers} note={rows.length} of={of}>
      <Table
        caption={text.assetTransfers}
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
              <TransferredAsset of={of} chainId={chainId} />
            </td>
            <td class="number">{dollars(of.usdValue) ?? <NoValue />}</td>
          </tr>
        ))}
      </Table>
      {changes.length > 0 && (
        <details>
          <summary>{text.changesOf(changes.length)}</summary>
          <BalanceChanges rows={changes} chainId={chainId} />
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
  return listAssetTransfers({
    coins,
    tokens: evm?.tokenTransfers ?? [],
    changes: cosmos?.balanceChanges ?? [],
    fee: { coins: cosmos?.fee?.amount ?? [], payer },
  }).map((row) => ({ ...row, of: unsigned<TransferredAssetParts>(row.of) }))
}

type TransferredAssetParts = AmountParts & {
  readonly objectAddress?: string | null
  readonly collection?: { readonly address: string } | null
  readonly contract?: { readonly address: string } | null
}

/** The asset of a transfer: an object, an NFT or an amount. */
const TransferredAsset = ({ of, chainId }: { of: TransferredAssetParts; chainId: string }) =>
  of.objectAddress && of.tokenId == null ? (
    <Address value={of.objectAddress} />
  ) : (
    <TransferAmount of={{ ...of, contract: of.collection ?? of.contract }} chainId={chainId} />
  )
