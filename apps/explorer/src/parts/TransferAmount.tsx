import { useContext } from 'preact/hooks'
import { links } from '../app/links.ts'
import { text } from '../text.ts'
import { Amount, type AmountParts } from './Amount.tsx'
import { ChainText } from './ChainText.tsx'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'
import { NamesContext } from './NamesContext.ts'

/** A transfer of a coin or a token. */
export type TransferParts = AmountParts & {
  readonly contract?: { readonly address: string } | null | undefined
  readonly standard?: string
}

/** What an NFT is one of: the name of its collection, or its address. */
export const CollectionName = ({ name, address }: { name: string | undefined; address: string }) =>
  name ? (
    <ChainText>{name}</ChainText>
  ) : (
    <>
      {text.nft} <MiddleEllipsis value={address} />
    </>
  )

/** The amount of a transfer. An NFT leads to its page. */
export function TransferAmount({ of, chainId }: { of: TransferParts; chainId: string }) {
  const names = useContext(NamesContext)
  const { contract, tokenId } = of
  if (tokenId == null || !contract)
    return <Amount of={{ ...of, denom: of.denom ?? contract?.address }} chainId={chainId} isPlain />
  const name = names.get(contract.address.toLowerCase())?.name
  return (
    <a href={links.nft(chainId, contract.address, tokenId)}>
      <CollectionName name={name} address={contract.address} /> <MiddleEllipsis value={`#${tokenId}`} />
    </a>
  )
}
