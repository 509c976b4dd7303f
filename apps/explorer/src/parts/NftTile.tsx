import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { links } from '../app/links.ts'
import { text } from '../text.ts'
import { readMetadata } from '../values/nftMetadata.ts'
import { ChainText } from './ChainText.tsx'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'

/** A picture of an NFT, or the place of one. It is an `<img>` and nothing else: what it shows can do nothing. */
export function Picture({ src, name }: { src: string | undefined; name: string }) {
  const [isBroken, setBroken] = useState(false)
  if (!src || isBroken) {
    return (
      <span class="picture none" aria-hidden="true">
        {[...name][0] ?? ''}
      </span>
    )
  }
  return (
    <img
      class="picture"
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  )
}

/** An NFT as a tile with its picture, if that lies in its metadata. */
export function NftTile({
  chainId,
  collection,
  tokenId,
  uri,
  children,
}: {
  chainId: string
  collection: { readonly address: string; readonly name?: string | null }
  tokenId: string
  uri: string | null | undefined
  children?: ComponentChildren
}) {
  const name = collection.name || text.nft
  return (
    <li>
      <a href={links.nft(chainId, collection.address, tokenId)}>
        <Picture src={readMetadata(uri)?.picture} name={name} />
        <strong>
          <ChainText>{name}</ChainText>
        </strong>
        <MiddleEllipsis value={`#${tokenId}`} />
      </a>
      {children}
    </li>
  )
}
