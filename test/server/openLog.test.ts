import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { openLog } from '../../src/engine/telemetry/log.ts'

/** What a log writes for one entry. */
function written(isTerminal: boolean) {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const log = openLog('info', destination, isTerminal)
  log.debug('not logged')
  log.warn({ service: 'a-1' }, 'upstream is down')
  return lines
}

test('the log is JSON where it is not on a terminal', () => {
  const [line = '', ...others] = written(false)
  expect(JSON.parse(line)).toMatchObject({ level: 40, service: 'a-1', msg: 'upstream is down' })
  expect(others).toEqual([])
})

test('the log has one colored line to read for each entry on a terminal', () => {
  const [line = '', ...others] = written(true)
  const text = stripVTControlCharacters(line)
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: upstream is down \{"service":"a-1"\}\n$/)
  expect(line).not.toBe(text)
  expect(others).toEqual([])
})
