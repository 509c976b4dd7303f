import { createHash } from 'node:crypto'
import { buildConnector } from 'undici'
import { resolveHost } from './connect.ts'
import { type ContentKind, createContents, type MediaOptions } from './contents.ts'
import { MediaError } from './fault.ts'
import { createFetchTurns, type MediaCaller } from './fetchTurns.ts'
import { type Metadata, readMetadata } from './metadata.ts'
import { createMediaPaths, type MediaSource } from './paths.ts'
import { absoluteUri, isDataUri, parseTarget } from './target.ts'

/** A picture, ready to be sent. */
export interface Picture {
  readonly type: ImageType
  readonly bytes: Buffer
  /** An entity tag: the hash of the bytes, in quotes. */
  readonly etag: string
}

/** Reads the metadata and pictures of NFTs by their URIs. */
export interface Media {
  /** The metadata at a URI. Rejects with `MediaError` if there is none, or with the reason of the signal. */
  metadata(uri: string, caller: MediaCaller): Promise<Metadata>
  /** The URL of a picture that the metadata at `uri` names. Null if it names none that can be fetched. */
  urlOf(kind: 'imageOf' | 'animationOf', uri: string, metadata: Metadata): string | null
  /** The source of the picture at such a path. Undefined unless the gateway wrote the path. */
  sourceAt(path: string): MediaSource | undefined
  /** A picture. Rejects with `MediaError` if the file is not one, or with the reason of the signal. */
  picture(source: MediaSource, caller: MediaCaller): Promise<Picture>
  /** How often content was fetched, by outcome: `OK` or a reason. */
  readonly outcomes: ReadonlyMap<string, number>
}

/** Opens the reading of media. Nothing is fetched before it is asked for. */
export function openMedia(options: MediaOptions): Media {
  const { limits, gateways, baseUrl = '' } = options
  const paths = createMediaPaths(options.signer)
  const connect = {
    resolve: resolveHost,
    dial: buildConnector({ timeout: limits.mediaTimeoutMs, maxCachedSessions: 0 }),
    ...options.connect,
  }
  const contents = createContents(options, createFetchTurns(options.clock, connect, limits))
  const metadataKind: ContentKind<Metadata> = {
    name: 'metadata',
    maxBytes: limits.maxMetadataBytes,
    // Texts may have two bytes for a character.
    bytesInMemory: 2,
    read: readMetadata,
  }
  const pictureKind: ContentKind<Picture> = {
    name: 'picture',
    maxBytes: limits.maxMediaBytes,
    bytesInMemory: 1,
    read: readPicture,
  }

  const isFetched = (uri: string): boolean => {
    try {
      return isDataUri(uri) || parseTarget(uri, gateways) !== undefined
    } catch {
      return false
    }
  }
  const metadata: Media['metadata'] = async (uri, caller) => {
    const read = await contents.read(metadataKind, uri, caller)
    const { image, animation } = read
    return {
      ...read,
      image: image && absoluteUri(image, uri),
      animation: animation && absoluteUri(animation, uri),
    }
  }

  return {
    metadata,
    urlOf(kind, uri, { image, animation }) {
      const picture = kind === 'imageOf' ? image : animation
      if (picture === null || !isFetched(picture)) return null
      // Pictures that the metadata holds itself are mostly too long for a path.
      const path = paths.write({ kind: 'uri', uri: picture }) ?? paths.write({ kind, uri })
      return path === undefined ? null : baseUrl.replace(/\/+$/, '') + path
    },
    sourceAt: paths.read,
    async picture({ kind, uri }, caller) {
      if (kind === 'uri') return contents.read(pictureKind, uri, caller)
      const { image, animation } = await metadata(uri, caller)
      return contents.read(pictureKind, (kind === 'imageOf' ? image : animation) ?? '', caller)
    },
    outcomes: contents.outcomes,
  }
}

function readPicture(bytes: Buffer): Picture {
  const type = findImageType(bytes)
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** The media types of images that browsers decode and that run nothing. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif'

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

const signatures: readonly [type: ImageType, isType: (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (bytes) => startsWith(bytes, '\xff\xd8\xff')],
  ['image/gif', (bytes) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')],
  ['image/webp', (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)],
  ['image/avif', (bytes) => startsWith(bytes, 'ftyp', 4) && hasAvifBrand(bytes)],
]

/** Whether the first box of an ISO base media file names AVIF (AV1 Image File Format, 6.2 and 6.3). */
function hasAvifBrand(bytes: Buffer): boolean {
  const end = Math.min(bytes.length >= 4 ? bytes.readUInt32BE(0) : 0, bytes.length, 256)
  for (let at = 8; at + 4 <= end; at += 4) {
    // Between the first brand and the others is a version.
    if (at !== 12 && (startsWith(bytes, 'avif', at) || startsWith(bytes, 'avis', at))) return true
  }
  return false
}

/**
 * The type of an image by its first bytes, whatever its host calls it (MIME Sniffing standard, 6.1). Throws
 * `MediaError` for anything else, with a reason of its own for an SVG.
 */
export function findImageType(bytes: Buffer): ImageType {
  for (const [type, isType] of signatures) if (isType(bytes)) return type
  throw new MediaError(isSvg(bytes) ? 'SVG' : 'NOT_AN_IMAGE')
}

/** Whether a text has an `svg` element near its start, after what may come before one. */
const isSvg = (bytes: Buffer): boolean =>
  /^\ufeff?\s*<(?:\?xml|!|svg)/i.test(bytes.toString('utf8', 0, 256)) &&
  /<svg\b/i.test(bytes.toString('utf8', 0, 4_096))
