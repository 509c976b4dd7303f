import { expect, test } from 'vitest'
import type { LiveRecord } from '../src/liveRecord.ts'
import { cut } from '../src/templates/plainText.ts'
import { templates } from '../src/templates/templates.ts'

const record = (summary: string): LiveRecord => ({
  ...{ id: 'evt_1', type: 'activity.record', cursor: 'c' },
  data: { chain: { prettyName: 'Harbor' }, node: { hash: 'AB', actions: [{ summary }, { summary: 'Voted yes' }] } },
})

/** A word joiner, which cannot be seen. It ends what chats read as a link. */
const joiner = '\u2060'

test('a message says on which chain what happened, and by which transaction', () => {
  expect(templates.telegram.toBody(record('Sent 5 INIT'), '-100')).toEqual({
    ...{ chat_id: '-100', text: 'Harbor: Sent 5 INIT; Voted yes (AB)' },
    link_preview_options: { is_disabled: true },
  })
})

test('a notice, a gap and a state have their words', () => {
  const text = (type: string, rest: Partial<LiveRecord>) =>
    templates.telegram.toBody({ id: 'evt_1', type, cursor: 'c', data: null, ...rest }, '1').text
  const notice = { chain: { chainId: 'galley-1' }, node: null, notice: { kind: 'LATE', message: 'No new block.' } }
  expect(text('activity.notice', { data: notice })).toBe('galley-1: No new block.')
  expect(text('activity.gap', { reason: 'CURSOR_EXPIRED' })).toBe('Events are missing here: CURSOR_EXPIRED')
  expect(text('transfer.state', { data: { state: 'COMPLETED' } })).toBe('COMPLETED')
  expect(text('blocks.record', { data: { node: { height: 1041 } } })).toBe('block 1041')
  expect(text('chainHeads.state', { data: { height: 7 } })).toBe('chainHeads.state')
})

test('Slack gets no mention and no link of others', () => {
  const { text } = templates.slack.toBody(record('named “<!channel> <https://evil.example|here> & co”'))
  expect(text).toContain(`named “&lt;!channel&gt; &lt;https:${joiner}//evil.${joiner}example|here&gt; &amp; co”`)
})

test('Discord mentions nobody, and shows marks as they are', () => {
  const body = templates.discord.toBody(record('named “@everyone [here](https://evil.example) **x**”'))
  expect(body.allowed_mentions).toEqual({ parse: [] })
  expect(body.content).toContain(
    `“\\@${joiner}everyone \\[here\\]\\(https:${joiner}//evil.${joiner}example\\) \\*\\*x\\*\\*”`,
  )
})

test('marks that turn text round, and control characters, are spaces', () => {
  expect(templates.slack.toBody(record('a\u202eb\u200bc\nd\u0007e')).text).toContain('a b c d e')
})

test('long messages are cut to what each chat takes', () => {
  const long = record('x'.repeat(10_000))
  expect(templates.telegram.toBody(long, '1').text).toHaveLength(4_096)
  expect(templates.discord.toBody(long).content).toHaveLength(2_000)
  expect(templates.slack.toBody(record('<'.repeat(10_000))).text.length).toBeLessThan(40_000)
  expect(cut('ab🎣', 4)).toBe('ab🎣')
  expect(cut('ab🎣c', 4)).toBe('ab…')
})

/** Names that anybody can choose for an asset, an NFT or an account. */
const hostileNames = [
  'https://claim.example/init',
  'HTTPS://CLAIM.EXAMPLE',
  'http://127.0.0.1:80/x',
  'http://localhost/x',
  'claim.example',
  'claim.example/init?x=1',
  'claim。example',
  'клейм.рф',
  'i❤.ws',
  'me@claim.example',
  'mailto:me@claim.example',
  'tel:+15550123456',
  '+15550123456',
  'tg://resolve?domain=evil',
  't.me/evil',
  'discord.gg/evil',
  'javascript:alert(1)',
  'ht\u200btps://cl\u00adaim.ex\u2060ample',
  'x\nhttps://claim.example',
  '@everyone',
  '@channel',
  '@some_user',
  '<!channel>',
  '<@U012AB3CD>',
  '<#C012AB3CD>',
  '<https://claim.example|INIT>',
  '<@&165511591545143296>',
  '[INIT](https://claim.example)',
  '#tag',
  '#тег',
  '$USDC',
  '/start',
  ':tada:',
  '<:x:165511591545143296>',
]

/** What Slack, Discord and Telegram make links, mentions, tags and commands of in plain text, at their most generous. */
const linkLike = [
  /[a-z][a-z\d+.-]*:[^\s\u2060]/iu,
  /[\p{L}\p{N}❤_-][.。．｡](?:\p{L}{2,}|\d{1,3}\.)/u,
  /[@#$][\p{L}\p{N}_]/u,
  /(?:^|[\s“])\/[a-z]/u,
  /\+\d{7,}/,
  /:\w+:/,
]

test.each(hostileNames)('the name %s is no link, no mention and no preview', (name) => {
  for (const summary of [name, `Sent 5 ${name} to init1wllqcg…ddazg3`, `Sent NFT “${name}”`]) {
    const slack = templates.slack.toBody(record(summary))
    const discord = templates.discord.toBody(record(summary))
    const telegram = templates.telegram.toBody(record(summary), '1')
    for (const text of [slack.text.replace(/&(?:lt|gt|amp);/g, ''), discord.content, telegram.text]) {
      for (const pattern of linkLike) expect(text.replace(/^Harbor: /, '')).not.toMatch(pattern)
    }
    expect(slack.text).not.toMatch(/[<>]/)
    expect(slack).toMatchObject({ unfurl_links: false, unfurl_media: false, mrkdwn: false, parse: 'none' })
    expect(discord).toMatchObject({ flags: 4, allowed_mentions: { parse: [] } })
    expect(discord.content).not.toMatch(/(?<!\\)[<>@[\]()]/)
    expect(telegram).toMatchObject({ link_preview_options: { is_disabled: true } })
  }
})

test('what is no link stays as it is', () => {
  const text = 'Sent 1,234.5 INIT (0.25 USD) to init1wllqcg…ddazg3; Sent 7 ibc/27394F at 12 % + 3'
  expect(templates.telegram.toBody(record(text), '1').text).toBe(`Harbor: ${text}; Voted yes (AB)`)
})

test('a text at the beginning of a message makes no list of it', () => {
  const content = (state: string) =>
    templates.discord.toBody({ id: 'evt_1', type: 'transfer.state', cursor: 'c', data: { state } }).content
  expect(content('- a')).toBe('\\- a')
  expect(content('1. a')).toBe('1\\. a')
})
