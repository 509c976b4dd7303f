import { dollars } from '../app/format.ts'
import { links } from '../app/links.ts'
import type { CosmosPartsFragment } from '../generated/graphql.ts'
import { Amount } from '../parts/amount.tsx'
import { withDenom } from '../parts/Moves.tsx'
import { Short } from '../parts/Short.tsx'
import { Table } from '../parts/Table.tsx'
import { Address, None } from '../parts/text.tsx'
import { Words } from '../parts/Words.tsx'
import { text } from '../text.ts'

type Change = NonNullable<CosmosPartsFragment['balanceChanges']>[number]

/** What each account lost and got by a transaction. */
export const Changes = ({ rows, chainId }: { rows: readonly Change[]; chainId: string }) => (
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
          <Changed of={change} chainId={chainId} />
        </td>
        <td class="number">{dollars(change.usdValue) ?? <None />}</td>
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
function Changed({ of, chainId }: { of: Change; chainId: string }) {
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
          {collection?.name ? <Words>{collection.name}</Words> : text.nft} <Short value={`#${tokenId}`} />
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
