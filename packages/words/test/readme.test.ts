import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tellTransaction } from '../src/words.ts'

const page = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
const [, program = '', printed = ''] = /```js\n(.*?)```\n\n```\n(.*?)```/s.exec(page) ?? []

test('the first block of the README prints what the page shows, and needs no node', async () => {
  const lines: string[] = []
  const log = (...parts: readonly unknown[]) => lines.push(parts.join(' '))
  const body = program.replace(/^import .*\n/, '')
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  const unreachable = () => {
    throw new Error('The program asked for the network.')
  }
  await AsyncFunction('tellTransaction', 'console', 'fetch', body)(tellTransaction, { log }, unreachable)
  expect(`${lines.join('\n')}\n`).toBe(printed)
})
