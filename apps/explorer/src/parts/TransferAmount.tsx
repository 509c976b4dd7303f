import { links } from '../app/links.ts'
import { text } from '../text.ts'
import { Amount, type AmountParts } from './Amount.tsx'
import { ChainText } from './ChainText.tsx'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'
import { useCollectionName } from './useCollectionName.ts'

/** A transfer of a coin or a token. */
export type TransferParts = AmountParts & {
  readonly contract?: { readonly address: string } | null | undefined
  readonly standard?: string
}

/** What an NFT is one of: the name of its collection, or its address. */
export function CollectionName({ chainId, address }: { chainId: string; address: string }) {
  const name = useCollectionName(chainId, address)
  return name ? (
    <ChainText>{name}</ChainText>
  ) : (
    <>
      {text.nft} <MiddleEllipsis value={address} />
    </>
  )
}

/** The amount of a transfer. An NFT leads to its page. */
export function TransferAmount({ of, chainId }: { of: TransferParts; chainId: string }) {
  const { contract, tokenId } = of
  if (tokenId == null || !contract)
    return <Amount of={{ ...of, denom: of.denom ?? contract?.address }} chainId={chainId} isPlain />
  return (
    <a href={links.nft(chainId, contract.address, tokenId)}>
      <CollectionName chainId={chainId} address={contract.address} /> <MiddleEllipsis value={`#${tokenId}`} />
    </a>
  )
}
