/** Why the metadata or a picture of an NFT cannot be read. The graph and the replies of `/media` use the same words. */
export const mediaFaults = {
  MEDIA_OFF: 'The gateway reads no metadata of NFTs: the setting NFT_MEDIA is off.',
  NO_URI: 'The NFT has no URI of metadata.',
  UNSUPPORTED_URI:
    'The URI is none that the gateway fetches: http, https, ipfs, ar or data, on port 80 or 443, without credentials.',
  NOT_PUBLIC: 'The host has no public address.',
  UNREACHABLE: 'The host cannot be reached, or broke off its response.',
  TIMED_OUT: 'The host took too long.',
  REJECTED: 'The host answered with an error, or with too many redirects.',
  TOO_LARGE: 'The content is larger than the gateway reads.',
  INVALID: 'The content is not JSON metadata, or is nested too deeply.',
  SVG: 'The content is an SVG, which can run scripts. It is never served.',
  NOT_AN_IMAGE: 'The content is no PNG, JPEG, GIF, WebP or AVIF.',
  BUSY: 'Too many requests for media are under way. Try again in some seconds.',
} as const

export type MediaFault = keyof typeof mediaFaults

/** The error for content that cannot be read. */
export class MediaError extends Error {
  readonly fault: MediaFault

  constructor(fault: MediaFault, options?: ErrorOptions) {
    super(mediaFaults[fault], options)
    this.name = 'MediaError'
    this.fault = fault
  }
}
