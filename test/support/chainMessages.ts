import type { SandboxIndexer } from '../../packages/sandbox/src/sandbox.ts'

/** Times in milliseconds since 1970: from the first, and before the second. */
export interface Span {
  readonly since: number
  readonly until: number
}

/** A message of a transaction that succeeded, and its events. */
export interface Message {
  /** The transaction. Its time is the text of the record. */
  readonly leg: { readonly chainId: string; readonly hash: string; readonly time: string }
  readonly rows: readonly { readonly type: string; readonly is: Readonly<Record<string, string>> }[]
}

interface Page {
  readonly txs: readonly {
    readonly txhash: string
    readonly code: number
    readonly timestamp: string
    readonly events: readonly {
      readonly type: string
      readonly attributes: readonly { readonly key: string; readonly value: string }[]
    }[]
  }[]
  readonly pagination: { readonly next_key: string | null }
}

/** Reads the messages of all transactions of a chain within a span of time, the newest transaction first. */
export async function readMessages({ chainId, url }: SandboxIndexer, span: Span): Promise<readonly Message[]> {
  const messages: Message[] = []
  let key: string | null = null
  while (true) {
    const paging = { 'pagination.limit': '200', 'pagination.reverse': 'true', ...(key && { 'pagination.key': key }) }
    const response = await fetch(`${url}/indexer/tx/v1/txs?${new URLSearchParams(paging)}`)
    if (!response.ok) throw new Error(`${chainId} answers ${response.status}`)
    const { txs, pagination } = (await response.json()) as Page
    for (const tx of txs) {
      const time = Date.parse(tx.timestamp)
      if (time < span.since) return messages
      if (time < span.until && tx.code === 0) messages.push(...messagesOf(chainId, tx))
    }
    key = pagination.next_key
    if (key === null || txs.length === 0) return messages
  }
}

function messagesOf(chainId: string, { txhash, timestamp, events }: Page['txs'][number]): readonly Message[] {
  const leg = { chainId, hash: txhash, time: timestamp }
  const rows = events.map(({ type, attributes }) => ({
    type,
    is: Object.fromEntries(attributes.map(({ key, value }) => [key, value])),
  }))
  const indexes = new Set(rows.flatMap(({ is }) => is.msg_index ?? []))
  return [...indexes].map((index) => ({ leg, rows: rows.filter(({ is }) => is.msg_index === index) }))
}
