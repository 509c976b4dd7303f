/** Why the metadata of an NFT cannot be read, as the graph says it. */
export const metadataFaults = {
  MEDIA_OFF: 'The gateway reads no metadata of NFTs: the setting NFT_METADATA is off.',
  NO_URI: 'The NFT has no URI of metadata.',
  UNSUPPORTED_URI:
    'The URI is none that the gateway fetches: http, https, ipfs, ar or data, on port 80 or 443, without credentials.',
  NOT_PUBLIC: 'The host has no public address.',
  UNREACHABLE: 'The host cannot be reached, or broke off its response.',
  TIMED_OUT: 'The host took too long.',
  REJECTED: 'The host answered with an error, or with too many redirects.',
  TOO_LARGE: 'The content is larger than the gateway reads.',
  INVALID: 'The content is not JSON metadata, or is nested too deeply.',
  BUSY: 'Too many requests for metadata are under way. Try again in some seconds.',
} as const

export type MetadataFault = keyof typeof metadataFaults

/** The error for content that cannot be read. */
export class MetadataError extends Error {
  readonly fault: MetadataFault

  constructor(fault: MetadataFault, options?: ErrorOptions) {
    super(metadataFaults[fault], options)
    this.name = 'MetadataError'
    this.fault = fault
  }
}
