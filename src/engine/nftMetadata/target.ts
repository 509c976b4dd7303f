import { MetadataError } from './fault.ts'

/** Where content of `ipfs:` and `ar:` URIs is read: URLs that end with a slash. */
export interface ContentGateways {
  readonly ipfs: string
  readonly arweave: string
}

/** The longest URI that is fetched over the network, in characters. */
const maxUriLength = 2_048

/** Whether a URI holds its content itself: a `data:` URI, or a JSON object in place of one. */
export const isDataUri = (uri: string): boolean => /^\s*(?:data:|\{\s*")/i.test(uri)

const cid = '(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58,})'
/** Public gateways, whose content every other gateway has too. Some of them answer no longer. */
const hosts = String.raw`(?:(?:gateway\.)?ipfs\.io|dweb\.link|gateway\.pinata\.cloud|(?:cloudflare-|cf-)ipfs\.com|nftstorage\.link|w3s\.link)`

/** The forms in which collections write an address on IPFS. Each gives the CID, and what follows it. */
const ipfsForms = [
  /^ipfs:\/{0,3}(?:ipfs\/+)*([a-z\d]+)(\/.*)?$/i,
  new RegExp(`^/?(?:ipfs/)?(${cid})(/.*)?$`),
  new RegExp(`^https?://${hosts}/ipfs/(${cid})(/[^?#]*)?(?:[?#].*)?$`),
  new RegExp(`^https?://(${cid})\\.ipfs\\.${hosts}(/[^?#]*)?(?:[?#].*)?$`),
]

/** The path of content on IPFS, beginning with its CID. Undefined for any other URI. */
function parseIpfsPath(uri: string): string | undefined {
  for (const form of ipfsForms) {
    const [, id, rest = ''] = form.exec(uri) ?? []
    if (id !== undefined) return id + rest
  }
  return undefined
}

/**
 * A URI that metadata name, which can be relative to the URI of the metadata. On IPFS it then stays below their CID. A
 * text that leads nowhere is left as it is.
 */
export function absoluteUri(text: string, base: string): string {
  const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(text) || isDataUri(text)
  if (isAbsolute || parseIpfsPath(text) !== undefined || isDataUri(base)) return text
  const path = parseIpfsPath(base.trim())
  const start = path === undefined ? base.trim() : `ipfs://${path}`
  return URL.canParse(text, start) ? new URL(text, start).href : text
}

/**
 * The URL that the content of a URI is fetched from. Throws `MetadataError` for a URI that the gateway does not fetch.
 * The URL parser has read hosts such as `2130706433` or `0x7f.1` as the addresses that they stand for.
 */
export function parseTarget(uri: string, gateways: ContentGateways): URL {
  const text = uri.trim()
  if (text.length > maxUriLength) throw new MetadataError('UNSUPPORTED_URI')
  const ipfsPath = parseIpfsPath(text)
  if (ipfsPath !== undefined) return below(gateways.ipfs, ipfsPath)
  const [, arweavePath] = /^ar:\/\/([\w-]+(?:\/.*)?)$/i.exec(text) ?? []
  if (arweavePath !== undefined) return below(gateways.arweave, arweavePath)
  return checkUrl(text)
}

/** A path below a gateway. Names of files may have a `#` or a `?`. Throws if `..` leads out of its content. */
function below(gateway: string, path: string): URL {
  const [id = ''] = path.split('/')
  const escaped = path.replaceAll('#', '%23').replaceAll('?', '%3F')
  const url = checkUrl(gateway + escaped)
  const { pathname } = new URL(gateway + id)
  if (url.pathname === pathname || url.pathname.startsWith(`${pathname}/`)) return url
  throw new MetadataError('UNSUPPORTED_URI')
}

const ports = new Set(['', '80', '443'])

/** A URL that may be fetched if its host is public. `base` is the URL that redirects to it. Throws `MetadataError`. */
export function checkUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  const isFetched =
    url !== undefined &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    ports.has(url.port) &&
    url.username === '' &&
    url.password === ''
  if (isFetched) return url
  throw new MetadataError('UNSUPPORTED_URI')
}
