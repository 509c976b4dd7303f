import { useContext } from 'preact/hooks'
import { links } from '../app/links.ts'
import { text } from '../text.ts'
import { Amount, type AmountParts } from './amount.tsx'
import { Names } from './known.ts'
import { Short } from './Short.tsx'
import { Words } from './Words.tsx'

/** A transfer of a coin or a token. */
export type TransferParts = AmountParts & { readonly contract?: { readonly address: string } | null | undefined }

/** What was moved. An NFT leads to its page. */
export function TransferAmount({ of, chainId }: { of: TransferParts; chainId: string }) {
  const names = useContext(Names)
  const { contract, tokenId } = of
  if (tokenId == null || !contract)
    return <Amount of={{ ...of, denom: of.denom ?? contract?.address }} chainId={chainId} isPlain />
  const known = names.get(contract.address.toLowerCase())
  return (
    <a href={links.nft(chainId, contract.address, tokenId)}>
      {known ? <Words>{known.name}</Words> : text.nft} <Short value={`#${tokenId}`} />
    </a>
  )
}
