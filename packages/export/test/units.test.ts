import { expect, test } from 'vitest'
import { csvForm } from '../src/formats/csv.ts'
import { createProgress } from '../src/progress.ts'
import { toColumns } from '../src/table.ts'
import { toMicroseconds, toPlainTime, toSortable } from '../src/time.ts'
import { run } from './support/world.ts'

test.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx', '\0x', '＝1', '＋1', '－1', '＠x'])(
  'text that a spreadsheet would run gets an apostrophe: %j',
  (text) => {
    const form = csvForm(toColumns({ text: 'text', amount: 'amount' }))
    const cell = /[",\r\n]/.test(text) ? `"'${text}"` : `'${text}`
    expect(form.lineOf([text, '-1'])).toBe(`${cell},-1\r\n`)
  },
)

test('cells with separators are quoted', () => {
  const form = csvForm(toColumns({ a: 'text', b: 'text', c: 'boolean' }))
  expect(form.head).toBe('a,b,c\r\n')
  expect(form.lineOf(['say "hi", then\ngo', null, false])).toBe('"say ""hi"", then\ngo",,false\r\n')
})

test('times compare as texts, and become microseconds and whole seconds', () => {
  expect(toSortable('2026-11-21T11:44:39Z') < toSortable('2026-11-21T11:44:39.000000001Z')).toBe(true)
  expect(toMicroseconds('1970-01-01T00:00:01.2345678Z')).toBe(1_234_567n)
  expect(toPlainTime('2026-11-21T11:44:39.999Z')).toBe('2026-11-21 11:44:39')
  expect(() => toSortable('2026-11-21')).toThrow('Not a time in UTC')
})

/** The texts of the progress of a run that began with 1,000 rows, whose clock is at these seconds, one for each call. */
function shown(isTerminal: boolean, seconds: readonly number[]) {
  const texts: string[] = []
  const start = Date.parse('2026-01-03T00:00:00Z')
  const clock = [0, ...seconds].map((second) => start + 1_000 * second)
  const progress = createProgress(
    {
      ...{ isTerminal, signal: new AbortController().signal, wait: async () => {} },
      err: (text) => void texts.push(text),
      now: () => clock.shift() ?? 0,
    },
    1_000,
    '2026-01-02T00:00:00Z',
  )
  return { progress, texts }
}

test('a terminal sees the rate of this run, the time reached, and what is left after the first page', () => {
  const { progress, texts } = shown(true, [10, 20, 30])
  progress.show(2_000, '2026-01-01T00:00:00.5Z')
  progress.show(4_000, '2026-01-01T12:00:00Z')
  progress.show(7_000, '2026-01-01T18:00:00Z')
  progress.end()
  expect(texts).toEqual([
    '\r2000 rows, 100 rows/s, at 2026-01-01T00:00:00Z\x1b[K',
    '\r4000 rows, 150 rows/s, at 2026-01-01T12:00:00Z, about 11 s left\x1b[K',
    '\r7000 rows, 200 rows/s, at 2026-01-01T18:00:00Z, about 7 s left\x1b[K',
    '\n',
  ])
})

test('a log gets a line every ten seconds', () => {
  const { progress, texts } = shown(false, [4, 9, 12, 15, 3_604])
  for (const hour of [0, 1, 2, 3, 6]) progress.show(1_000 + hour, `2026-01-01T0${hour}:00:00Z`)
  progress.end()
  expect(texts).toEqual([
    '1002 rows, 0 rows/s, at 2026-01-01T02:00:00Z, about 88 s left\n',
    '1006 rows, 0 rows/s, at 2026-01-01T06:00:00Z, about 3 h left\n',
  ])
})

const url = 'http://127.0.0.1:1/graphql'
test.each([
  [['activity', '--url', url, '--out', 'a'], '--address'],
  [['blocks', '--url', url, '--out', 'a'], '--chain'],
  [['blocks', '--url', url, '--out', 'a', '--chain', 'a', '--address', 'b'], 'no --address'],
  [['transactions', '--url', url, '--out', 'a', '--chain', 'a', '--chain', 'b'], 'the one chain'],
  [['activity', '--url', url, '--address', 'a'], '--out'],
  [['activity', '--out', 'a', '--address', 'a'], '--url'],
  [['activity', '--url', 'graph.example', '--out', 'a', '--address', 'a'], '--url'],
  [['blocks', '--url', url, '--out', 'a', '--chain', 'a', '--format', 'koinly'], 'for activity'],
  [['blocks', '--url', url, '--out', 'a', '--chain', 'a', '--format', 'xlsx'], 'csv, ndjson'],
  [['blocks', '--url', url, '--out', 'a', '--chain', 'a', '--since', 'today'], 'Not a day or time in UTC'],
  [['blocks', '--url', url, '--out', 'a', '--chain', 'a', '--since', '2026-13-01'], 'Not a day or time in UTC'],
  [['nothing'], 'activity, transfers, transactions, blocks'],
  [['activity', 'blocks'], 'not also blocks'],
  [['--until-then'], 'until-then'],
])('wrong options end with 2 (%j)', async (argv, reason) => {
  const { code, out, err } = await run(argv)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err.split('\n\n')[0]).toContain(reason)
  expect(err).toContain('portolan-export <what>')
})

test('--help is the help', async () => {
  expect(await run(['--help'])).toMatchObject({ code: 0, err: '' })
})
