import { createHash } from 'node:crypto'

/** The strong entity tag of an answer in one media type and one content coding. */
export function etagOf(text: string, mediaType: string, coding = 'identity'): string {
  const hash = createHash('sha256').update(`${mediaType} ${coding} `).update(text)
  return `"${hash.digest('base64url')}"`
}

/** Whether a client has what this tag stands for. A proxy that compresses marks the tag as weak (RFC 9110, 8.8.3). */
export const hasTag = (ifNoneMatch: string | undefined, etag: string | undefined): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
