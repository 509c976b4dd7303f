import { expect, test } from 'vitest'
import type { LiveRecord } from '../src/liveRecord.ts'
import { cut } from '../src/templates/plainText.ts'
import { templates } from '../src/templates/templates.ts'

const record = (summary: string): LiveRecord => ({
  ...{ id: 'evt_1', type: 'activity.record', cursor: 'c' },
  data: { chain: { prettyName: 'Harbor' }, node: { hash: 'AB', actions: [{ summary }, { summary: 'Voted yes' }] } },
})

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
  expect(text).toContain('named “&lt;!channel&gt; &lt;https://evil.example|here&gt; &amp; co”')
})

test('Discord mentions nobody, and shows marks as they are', () => {
  const body = templates.discord.toBody(record('named “@everyone [here](https://evil.example) **x**”'))
  expect(body.allowed_mentions).toEqual({ parse: [] })
  expect(body.content).toContain(String.raw`“\@everyone \[here\]\(https://evil.example\) \*\*x\*\*”`)
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
