import type { LiveRecord } from '../liveRecord.ts'

/** The fields that a sentence is made of, if the document selects them. */
interface EventData {
  readonly chain?: { readonly prettyName?: string | null; readonly chainId?: string }
  readonly node?: {
    readonly hash?: string
    readonly height?: number
    readonly chain?: EventData['chain']
    readonly actions?: readonly { readonly summary?: string }[] | null
  } | null
  readonly notice?: { readonly message?: string; readonly kind?: string } | null
  readonly state?: string
}

/** What happened, in a line without links: the summaries of a transaction, or the message of a notice. */
export function toPlainText({ type, data, reason }: LiveRecord): string {
  const told = (data ?? {}) as EventData
  const { node, notice, state } = told
  const chain = told.chain ?? node?.chain
  const place = chain?.prettyName ?? chain?.chainId
  const summaries = (node?.actions ?? []).flatMap(({ summary }) => summary ?? [])
  const said = notice ? (notice.message ?? notice.kind) : summaries.join('; ') || (state ?? blockOf(node))
  const what = reason ? `Events are missing here: ${reason}` : withoutLinks(said) || type
  const [before, after] = [place && `${place}: `, node?.hash && ` (${node.hash})`]
  return `${withoutLinks(before)}${what}${withoutLinks(after)}`
}

/** A block has no summary. */
const blockOf = (node: EventData['node']): string | undefined =>
  node?.height === undefined ? undefined : `block ${node.height}`

/** Control characters, and marks that change the direction of text or cannot be seen. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** The signs of links, mentions, commands and emoji. */
const linking = /[:：@＠](?=\S)|[.。．｡](?=\p{L}|\d+[.。．｡])|[#＃$](?=[\p{L}\d_])|(?<![^\s(“"'])\/(?=\w)|\+(?=\d{7})/gu

/** A word joiner, which cannot be seen, ends what a chat reads as a link. */
const withoutLinks = (text = ''): string => text.replace(unseen, ' ').replace(linking, '$&\u2060')

/** A text of at most this many UTF-16 units, with a sign that some are missing. No character is cut in half. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
