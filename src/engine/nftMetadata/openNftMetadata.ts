import type { NftMetadata, NftMetadataParts } from './nftMetadata.ts'

/** Whether and how the gateway reads the metadata of NFTs. */
export interface NftMetadataOptions {
  /** Read the metadata of NFTs from their URIs. Default: false. */
  readonly nftMetadata?: boolean
  /**
   * The URL of a picture at your proxy for pictures, with `{url}` where that of the picture goes. Default: none, so that
   * only pictures that metadata contain have a URL.
   */
  readonly nftPictureUrl?: string | undefined
  /** Gateway for `ipfs://` URIs. Default: `https://ipfs.io/ipfs/`. */
  readonly nftIpfsGateway?: string | undefined
}

/** Opens the reading of metadata, if it is on. Otherwise nothing of it is loaded. */
export async function openNftMetadata(
  options: NftMetadataOptions & { readonly isSandbox?: boolean },
  parts: Pick<NftMetadataParts, 'clock' | 'cache' | 'connect'>,
): Promise<NftMetadata | undefined> {
  if (!options.nftMetadata) return undefined
  const { createNftMetadata } = await import('./nftMetadata.ts')
  const { nftIpfsGateway: ipfs = 'https://ipfs.io/ipfs/' } = options
  return createNftMetadata({
    ...parts,
    gateways: { ipfs: ipfs.endsWith('/') ? ipfs : `${ipfs}/`, arweave: 'https://arweave.net/' },
    pictureUrl: options.nftPictureUrl,
    // Simulated URIs lead nowhere.
    isOffline: options.isSandbox ?? false,
  })
}
