import type { LiveRecord } from '../liveRecord.ts'
import { cut, toPlainText } from './plainText.ts'

/** How an event becomes a message of a chat, and how often that chat takes one. */
export interface Template {
  toBody(record: LiveRecord, chatId: string | undefined): unknown
  /** Milliseconds between two messages. */
  readonly intervalMs: number
}

/** Slack reads `&`, `<` and `>` as its own marks, for links and for mentions such as `<!channel>`. */
const slack = (record: LiveRecord) => ({
  text: cut(toPlainText(record), 2_900).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ...{ mrkdwn: false, parse: 'none', unfurl_links: false, unfurl_media: false },
})

/** Nobody is mentioned, and no mark of Markdown has an effect. Flag 4: no previews. */
const discord = (record: LiveRecord) => ({
  content: cut(toPlainText(record).replace(/[\\*_~`|<>[\]()#@]|^[-+]|(?<=^\d+)\./g, '\\$&'), 2_000),
  allowed_mentions: { parse: [] },
  flags: 4,
})

/** Without a parse mode, Telegram shows text as it is. */
const telegram = (record: LiveRecord, chatId: string | undefined) => ({
  chat_id: chatId,
  text: cut(toPlainText(record), 4_096),
  link_preview_options: { is_disabled: true },
})

/** The chats, by their names in the file of hooks. */
export const templates = {
  slack: { toBody: slack, intervalMs: 1_000 },
  discord: { toBody: discord, intervalMs: 1_000 },
  // A group takes 20 messages a minute.
  telegram: { toBody: telegram, intervalMs: 3_000 },
} satisfies Record<string, Template>
