import { MetadataError } from './fault.ts'

/**
 * The bytes of a `data:` URI (RFC 2397), whatever type it names, or of JSON in place of one. Contracts often leave text
 * unescaped, so a percent sign that escapes nothing stands for itself. Throws `MetadataError` if there are too many bytes.
 */
export function readDataUri(uri: string, maxBytes: number): Buffer {
  if (!/^\s*data:/i.test(uri)) return readText(uri, maxBytes)
  const comma = uri.indexOf(',')
  if (comma < 0) throw new MetadataError('UNSUPPORTED_URI')
  // A byte takes at most three characters.
  if (uri.length - comma > maxBytes * 4) throw new MetadataError('TOO_LARGE')
  const isBase64 = /;\s*base64\s*$/i.test(uri.slice(0, comma))
  const content = unescaped(uri.slice(comma + 1))
  const bytes = isBase64 ? Buffer.from(content.toString('latin1'), 'base64') : content
  if (bytes.length > maxBytes) throw new MetadataError('TOO_LARGE')
  return bytes
}

function readText(text: string, maxBytes: number): Buffer {
  if (Buffer.byteLength(text) > maxBytes) throw new MetadataError('TOO_LARGE')
  return Buffer.from(text)
}

function unescaped(text: string): Buffer {
  if (!text.includes('%')) return Buffer.from(text)
  const parts = text.split(/((?:%[\da-f]{2})+)/i)
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 1 ? Buffer.from(part.replaceAll('%', ''), 'hex') : Buffer.from(part))),
  )
}
