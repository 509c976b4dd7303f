import { MediaError } from './fault.ts'

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
export function imageTypeOf(bytes: Buffer): ImageType {
  for (const [type, isType] of signatures) if (isType(bytes)) return type
  throw new MediaError(isSvg(bytes) ? 'SVG' : 'NOT_AN_IMAGE')
}

/** Whether a text has an `svg` element near its start, after what may come before one. */
const isSvg = (bytes: Buffer): boolean =>
  /^\ufeff?\s*<(?:\?xml|!|svg)/i.test(bytes.toString('utf8', 0, 256)) &&
  /<svg\b/i.test(bytes.toString('utf8', 0, 4_096))
