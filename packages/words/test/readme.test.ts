import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { sandboxChains } from '../../sandbox/src/chains.ts'
import { createFixtures } from '../../sandbox/src/world/fixtures.ts'
import { createTransactions } from '../../sandbox/src/world/transactions.ts'
import { createWorkload } from '../../sandbox/src/world/workload.ts'
import { tellTransaction } from '../src/words.ts'

const page = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
const [, program = '', printed = ''] = /```js\n(.*?)```\n\n```\n(.*?)```/s.exec(page) ?? []

/** The first transfer over IBC of the sandbox's hub, as its node would answer. */
function transferRecord() {
  const [hub] = sandboxChains
  if (!hub) throw new Error('The sandbox has no hub.')
  const fixtures = createFixtures(hub, 'readme')
  const transactions = createTransactions(fixtures, createWorkload(fixtures))
  const records = Array.from({ length: 200 }, (_, index) => transactions.record(index + 1))
  const record = records.find(
    ({ code, tx, events }) =>
      code === 0 && JSON.stringify(tx).includes('transfer.v1.MsgTransfer') && !JSON.stringify(events).includes('ibc/'),
  )
  return { tx: record?.tx, tx_response: { ...record, tx: undefined } }
}

test('the first block of the README prints what the page shows', async () => {
  const lines: string[] = []
  const log = (...parts: readonly unknown[]) => lines.push(parts.map(String).join(' '))
  vi.stubGlobal('fetch', async () => Response.json(transferRecord()))
  try {
    const body = program.replace(/^import .*\n/, '')
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor
    await AsyncFunction(
      'tellTransaction',
      'console',
      'process',
      body,
    )(tellTransaction, { log }, { argv: ['node', 'program.mjs', 'http://node.example', 'AB'] })
  } finally {
    vi.unstubAllGlobals()
  }
  expect(`${lines.join('\n')}\n`).toBe(printed)
})
