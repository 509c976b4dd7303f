import { expect, test } from 'vitest'
import { makeAccount } from '../../../../packages/sandbox/src/address.ts'
import { namedAddresses } from '../../../../src/schema/indexer/live/addressKeys.ts'
import { type TransactionRecord, transactionsPage } from '../../../../src/schema/indexer/transaction/wire.ts'
import { fakeChain } from '../../../support/testServer.ts'

const [sender, recipient, other] = ['sender', 'recipient', 'other'].map((name) => makeAccount('init', 20, name))
const chain = fakeChain('a-1', async () => null)

function recordWith(events: object[]): TransactionRecord {
  const message = {
    '@type': '/cosmos.bank.v1beta1.MsgMultiSend',
    from_address: sender?.bech32,
    outputs: [{ address: recipient?.bech32 }],
  }
  const json = {
    ...{ txhash: 'AB', height: '1', code: 0, gas_wanted: '1', gas_used: '1' },
    ...{ timestamp: '2026-01-01T00:00:00Z', events },
    tx: { body: { messages: [message] } },
  }
  const [record] = transactionsPage.parse({ txs: [json], pagination: {} }).items
  if (!record || !('txhash' in record)) throw new Error('the record is not read')
  return record
}

const keyOf = (account: { hex: string } | undefined) => account?.hex.slice(2)

test('a transaction belongs to the accounts in its events, as bech32 or hex', () => {
  const events = [
    { type: 'transfer', attributes: [{ key: 'recipient', value: recipient?.bech32 }] },
    { type: 'move', attributes: [{ key: 'data', value: `{"owner":"${other?.hex}"}` }] },
  ]
  expect([...namedAddresses(chain, recordWith(events))]).toEqual([keyOf(recipient), keyOf(other)])
})

test('a transaction without events belongs to the accounts in its messages', () => {
  expect([...namedAddresses(chain, recordWith([]))]).toEqual([keyOf(sender), keyOf(recipient)])
})

for (const [name, nested] of Object.entries({
  'lists in lists': `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  'objects in objects': `${'{"a":'.repeat(20_000)}0${'}'.repeat(20_000)}`,
  'an attribute of two megabytes': `[${'[],'.repeat(700_000)}[]]`,
})) {
  test(`an attribute with ${name} does not hide other addresses`, () => {
    const events = [
      { type: 'move', attributes: [{ key: 'data', value: nested }] },
      { type: 'transfer', attributes: [{ key: 'recipient', value: recipient?.bech32 }] },
    ]
    expect([...namedAddresses(chain, recordWith(events))]).toEqual([keyOf(recipient)])
  })
}

test('deeply nested messages do not hide addresses', () => {
  const record = recordWith([])
  const deep = JSON.parse(`${'['.repeat(20_000)}"${other?.bech32}"${']'.repeat(20_000)}`)
  record.tx?.body?.messages.push(deep)
  expect([...namedAddresses(chain, record)]).toEqual([sender, recipient, other].map(keyOf))
})
