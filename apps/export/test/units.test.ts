import { expect, onTestFinished, test, vi } from 'vitest'
import { toColumns } from '#kit/table'
import { csvForm } from '../src/formats/csv.ts'
import { createProgress } from '../src/progress.ts'
import { toMicroseconds, toPlainTime, toSortable } from '../src/time.ts'
import { run } from './support/world.ts'

test('a byte order mark is the first of all, if it is wanted', () => {
  expect(csvForm(toColumns({ a: 'text' }), { bom: true }).head).toBe('\uFEFFa\r\n')
})

test('times compare as texts, and become microseconds and whole seconds', () => {
  expect(toSortable('2026-11-21T11:44:39Z') < toSortable('2026-11-21T11:44:39.000000001Z')).toBe(true)
  expect(toMicroseconds('1970-01-01T00:00:01.2345678Z')).toBe(1_234_567n)
  expect(toPlainTime('2026-11-21T11:44:39.999Z')).toBe('2026-11-21 11:44:39')
  expect(() => toSortable('2026-11-21')).toThrow('Not a time in UTC')
})

/** The progress of a run that began with 1,000 rows, on a clock of its own, and its texts. */
function shown(isTerminal: boolean) {
  const texts: string[] = []
  vi.useFakeTimers({ now: Date.parse('2026-01-03T00:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const progress = createProgress(
    {
      ...{ isTerminal, signal: new AbortController().signal, wait: async () => {}, now: Date.now },
      err: (text) => void texts.push(text),
    },
    1_000,
    '2026-01-02T00:00:00Z',
  )
  return { progress, texts, pass: (seconds: number) => vi.advanceTimersByTime(1_000 * seconds) }
}

test('a terminal sees the rate of this run, the time reached, and what is left after the first page', () => {
  const { progress, texts, pass } = shown(true)
  pass(5)
  progress.show(1_500, '2026-01-01T00:00:00.5Z')
  pass(4)
  progress.show(2_800, '2026-01-01T18:00:00Z')
  progress.end()
  expect(texts).toEqual([
    '\r1500 rows, 100 rows/s, at 2026-01-01T00:00:00Z\x1b[K',
    '\r2800 rows, 200 rows/s, at 2026-01-01T18:00:00Z, about 2 s left\x1b[K',
    '\n',
  ])
})

test('a log gets a line every ten seconds, also before the first answer and between slow pages', () => {
  const { progress, texts, pass } = shown(false)
  pass(10)
  progress.prepare('Looked through 40 transfers')
  pass(10)
  for (const hour of [0, 1, 2]) progress.show(1_000 + 100 * hour, `2026-01-01T0${hour}:00:00Z`)
  pass(20)
  progress.end()
  pass(60)
  expect(texts).toEqual([
    'No answer yet\n',
    'Looked through 40 transfers\n',
    '1200 rows, 7 rows/s, at 2026-01-01T02:00:00Z, about 0 s left\n',
    '1200 rows, 5 rows/s, at 2026-01-01T02:00:00Z, about 0 s left\n',
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
  [['--until-then'], 'There is no option --until-then.'],
  [['blocks', '-x'], 'There is no option -x.'],
  [['blocks', '--url', '--out', 'a'], 'The option --url needs a value.'],
  [['blocks', '--url'], 'The option --url needs a value.'],
  [['blocks', '--chain='], 'The option --chain needs a value.'],
  [['blocks', '--skip-unreadable=no'], 'The option --skip-unreadable has no value.'],
  [['blocks', '--out', 'a', '--out', 'b'], 'The option --out can be given once.'],
  [
    ['blocks', '--url', url, '--out', 'a', '--chain', 'a', '--format', 'ndjson', '--bom'],
    '--bom is for the format csv',
  ],
])('wrong options end with 2 (%j)', async (argv, reason) => {
  const { code, out, err } = await run(argv)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err.split('\n\n')[0]).toContain(reason)
  expect(err).toContain('portolan-export <what>')
  expect(err).not.toContain('positional argument')
})

test('--help is the help', async () => {
  expect(await run(['--help'])).toMatchObject({ code: 0, err: '' })
})
