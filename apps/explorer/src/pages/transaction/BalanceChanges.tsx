import { links } from '../../app/links.ts'
import type { CosmosPartsFragment } from '../../generated/graphql.ts'
import { withDenom } from '../../parts/AccountBalanceChanges.tsx'
import { Amount } from '../../parts/Amount.tsx'
import { ChainText } from '../../parts/ChainText.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { NoValue } from '../../parts/NoValue.tsx'
import { Address } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { text } from '../../text.ts'
import { dollars } from '../../values/format.ts'

type Change = NonNullable<CosmosPartsFragment['balanceChanges']>[number]

/** What each account lost and got by a transaction. */
export const BalanceChanges = ({ rows, chainId }: { rows: readonly Change[]; chainId: string }) => (
  <Table
    caption={text.changes}
    heads={[text.account, text.type, { number: text.amount }, { number: text.valueNow }]}
    isStacked
  >
    {rows.map((change, index) => (
      <tr key={index}>
        <td class="wide">
          <Owner of={change} />
        </td>
        <td>{text.changeKinds[change.kind] ?? change.kind}</td>
        <td class={change.amount?.startsWith('-') ? 'number line bad' : 'number line good'}>
          <ChangedAsset of={change} chainId={chainId} />
        </td>
        <td class="number">{dollars(change.usdValue) ?? <NoValue />}</td>
      </tr>
    ))}
  </Table>
)

/** Whose change it is. A mark says that the events do not prove it. */
const Owner = ({ of: { account, isOwnerKnown } }: { of: Change }) => (
  <>
    {account ? <Address value={account.address} /> : text.unknown}
    {account && !isOwnerKnown && <small title={text.ownerUnproven}> ?</small>}
  </>
)

/** What was lost or got: an amount of an asset, an NFT or an object. */
function ChangedAsset({ of, chainId }: { of: Change; chainId: string }) {
  const sign = of.amount?.startsWith('-') ? '−' : '+'
  const { collection, tokenId } = of
  const address = collection?.address ?? of.contract?.address
  if (address && tokenId != null) {
    // The indexer may not have the NFTs of a contract without a name, such as those of ERC-1155.
    const isUnnamed = collection?.name === ''
    return (
      <>
        {sign}{' '}
        <a href={isUnnamed ? links.contract(chainId, address) : links.nft(chainId, address, tokenId)}>
          {collection?.name ? <ChainText>{collection.name}</ChainText> : text.nft}{' '}
          <MiddleEllipsis value={`#${tokenId}`} />
        </a>
      </>
    )
  }
  if (of.objectAddress) {
    return (
      <>
        {sign} <Address value={of.objectAddress} />
      </>
    )
  }
  return <Amount of={withDenom(of)} chainId={chainId} isChange />
}
