import type { LiveRecord } from '../liveRecord.ts'

/** The fields that a sentence is made of, if the document selects them. */
interface Told {
  readonly chain?: { readonly prettyName?: string | null; readonly chainId?: string }
  readonly node?: {
    readonly hash?: string
    readonly height?: number
    readonly chain?: Told['chain']
    readonly actions?: readonly { readonly summary?: string }[] | null
  } | null
  readonly notice?: { readonly message?: string; readonly kind?: string } | null
  readonly state?: string
}

/** What happened, in a line: the summaries of a transaction, or the message of a notice. Without control characters. */
export function toPlainText({ type, data, reason }: LiveRecord): string {
  const told = (data ?? {}) as Told
  const { node, notice, state } = told
  const chain = told.chain ?? node?.chain
  const place = chain?.prettyName ?? chain?.chainId
  const summaries = (node?.actions ?? []).flatMap(({ summary }) => summary ?? [])
  const said = notice ? (notice.message ?? notice.kind) : summaries.join('; ') || (state ?? blockOf(node))
  const what = reason ? `Events are missing here: ${reason}` : (said ?? type)
  return [place && `${place}: `, what, node?.hash && ` (${node.hash})`].filter(Boolean).join('').replace(unseen, ' ')
}

/** A block has no summary. */
const blockOf = (node: Told['node']): string | undefined =>
  node?.height === undefined ? undefined : `block ${node.height}`

/** Control characters, and marks that change the direction of text or cannot be seen. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu

/** A text of at most this many UTF-16 units, with a sign that some are missing. No character is cut in half. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
