import { createClient } from '@portolan/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestGateway } from '../../../src/testing.ts'
import { exportFile as exportOfExplorer } from '../../explorer/src/csv/exportFile.ts'
import { isAddressOf } from '../src/isAddressOf.ts'
import { address, now, objectsOf, run, startFolder, startWorld, textOf } from './support/world.ts'

const me = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'

let world: TestGateway
let rows: readonly Record<string, unknown>[]
beforeAll(async () => {
  world = await startWorld()
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  await run(['activity', '--url', world.url, '--address', address, '--format', 'ndjson', '--out', file])
  rows = objectsOf(file)
})
afterAll(() => world[Symbol.asyncDispose]())

test('what was received has its sender as the other side, and what was sent its recipient', () => {
  const moved = rows.filter(
    ({ kind, change }) =>
      /^(SEND|MULTI_SEND|NFT_TRANSFER|OBJECT_TRANSFER|BRIDGE_\w+)$/.test(String(kind)) && change !== 'FEE',
  )
  const gains = moved.filter(({ amount }) => amount !== null && !String(amount).startsWith('-'))
  expect(new Set(gains.map(({ change }) => change))).toEqual(new Set(['COIN', 'TOKEN', 'NFT', 'OBJECT']))
  expect(gains.length).toBeGreaterThan(10)
  expect(moved.filter(({ counterparty, change }) => counterparty === null && change !== null)).toEqual([])
  expect(moved.filter(({ counterparty }) => counterparty !== null && isAddressOf(String(counterparty), me))).toEqual([])
})

test('an address is whole in the summary, and spelled as beside it', () => {
  expect(rows.filter(({ summary }) => /[0-9a-z]{4}…[0-9a-z]{4,}\b(?!…)/.test(String(summary)))).toEqual([])
  const sent = rows.filter(
    ({ kind, amount, counterparty }) => kind === 'SEND' && String(amount).startsWith('-') && counterparty,
  )
  expect(new Set(sent.map(({ chain_id }) => chain_id)).size).toBe(3)
  for (const { summary, counterparty } of sent) expect(summary).toContain(` to ${String(counterparty).split(' ')[0]}`)
})

test('the file of the explorer has the same columns and the same rows', async () => {
  const client = createClient({ url: world.url })
  const { text } = await exportOfExplorer(
    {
      subject: 'activity',
      ...{ address, hexAddress: me, filter: {} },
      span: { since: undefined, until: undefined },
      sides: { direction: '', party: '', token: '' },
    },
    { client, signal: new AbortController().signal, onProgress: () => {}, now },
  )
  using folder = startFolder()
  const file = folder.fileOf('a.csv')
  await run(['activity', '--url', world.url, '--address', address, '--out', file])
  const [head, ...lines] = textOf(file).split('\r\n')
  const [headOfExplorer, ...others] = text.replace('\uFEFF', '').split('\r\n')
  expect(headOfExplorer).toBe(head)
  expect(others.toSorted()).toEqual(lines.toSorted())
  expect(lines.length).toBeGreaterThan(50)
})
