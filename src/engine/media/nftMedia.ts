import type { MediaOptions } from './contents.ts'
import type { Media } from './media.ts'

/** Whether and how the gateway reads the metadata and pictures of NFTs. */
export interface NftMediaOptions {
  /** Read metadata of NFTs from their URIs, and serve pictures at `/media`. Default: false. */
  readonly nftMedia?: boolean
  /** The URL of the gateway for browsers, as the start of the URLs of pictures. Default: none, so they are paths. */
  readonly nftMediaUrl?: string | undefined
  /** Gateway for `ipfs://` URIs. Default: `https://ipfs.io/ipfs/`. */
  readonly nftIpfsGateway?: string | undefined
  /** Gateway for `ar://` URIs. Default: `https://arweave.net/`. */
  readonly nftArweaveGateway?: string | undefined
}

/** Opens the reading of media, if it is on. Otherwise nothing of it is loaded. */
export async function openNftMedia(
  options: NftMediaOptions & { readonly isSandbox?: boolean },
  parts: Omit<MediaOptions, 'gateways' | 'baseUrl' | 'isOffline'>,
): Promise<Media | undefined> {
  if (!options.nftMedia) return undefined
  const { openMedia } = await import('./media.ts')
  return openMedia({
    ...parts,
    gateways: {
      ipfs: withSlash(options.nftIpfsGateway ?? 'https://ipfs.io/ipfs'),
      arweave: withSlash(options.nftArweaveGateway ?? 'https://arweave.net'),
    },
    baseUrl: options.nftMediaUrl,
    // Simulated URIs lead nowhere.
    isOffline: options.isSandbox ?? false,
  })
}

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`)
