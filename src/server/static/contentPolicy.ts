import { createHash } from 'node:crypto'

/** The rights of a page beyond its own inline scripts and connections to this server. */
export interface PageNeeds {
  /** Sources of scripts besides the inline scripts of the page, such as `'self'`. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  /** Further directives, such as `font-src data:`. */
  readonly further?: readonly string[]
}

/** Inline scripts of a page. Those with other attributes than `src` are inline too. */
const inlineScript = /<script(?![^>]*\ssrc=)(?:\s[^>]*)?>([\s\S]*?)<\/script>/g

/** A content security policy for a page: of all inline scripts, only those of its text run. */
export function contentPolicy(html: string, { scripts, styles, further = [] }: PageNeeds): string {
  const inline = [...html.matchAll(inlineScript)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src ${[...inline, ...scripts].join(' ')}`,
    `style-src ${styles.join(' ')}`,
    "img-src 'self' data:",
    ...further,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Headers of every page that is HTML. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
} as const
