import { expect, test } from 'vitest'
import { checkDenoms, hasDenomOf } from '../../../src/schema/indexer/transaction/denomFilter.ts'
import type { TransactionRecord } from '../../../src/schema/indexer/transaction/wire.ts'

const contract = '36b3f2b5b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6'
const made = `${'0'.repeat(4)}${'ab'.repeat(30)}`

const namesIn = (value: string, denom: string): boolean =>
  hasDenomOf([denom])({
    events: [{ type: 'any', isCoded: false, attributes: [{ key: 'any', value }] }],
  } as unknown as TransactionRecord)

test.each([
  ['uinit', 'uinit'],
  ['uinit', '1000uinit'],
  ['uinit', '5ibc/AB,1000uinit'],
  ['uinit', '{"denom":"uinit","amount":"5"}'],
  ['ibc/AB', '5ibc/AB,1000uinit'],
  // The metadata of uinit on a Move chain.
  ['uinit', '{"metadata_addr":"0x8e4733bdabcf7d4afc3d14f0dd46c9bf52fb0fce9e4b996c939e195b8bc891d9"}'],
  [`evm/${contract}`, `{"address":"0x${contract.toUpperCase()}","topics":[]}`],
  [`evm/${contract}`, contract],
  [`move/${made}`, `0x${'ab'.repeat(30)}`],
  ['cw20:init1abc', 'init1abc'],
  ['init1abc', 'cw20:init1abc'.slice(5)],
])('%s is named by %s', (denom, value) => {
  expect(namesIn(value, denom)).toBe(true)
})

test.each([
  ['uinit', 'transfer/channel-0/uinit'],
  ['uinit', 'uinitx'],
  ['uinit', 'xuinit'],
  ['uinit', 'UINIT'],
  ['ibc/AB', 'ibc/ABC'],
  [`evm/${contract}`, `0x${contract}00`],
  ['5', '5uinit'],
])('%s is not named by %s', (denom, value) => {
  expect(namesIn(value, denom)).toBe(false)
})

test('a record whose events cannot be read may name each asset', () => {
  const coded = { events: [{ type: 'any', isCoded: true, attributes: [] }] } as unknown as TransactionRecord
  expect(hasDenomOf(['uinit'])(coded)).toBe(true)
})

test.each([[[]], [['']], [['x'.repeat(201)]], [Array.from({ length: 21 }, () => 'uinit')]])(
  'the denoms %j are refused',
  (denoms) => {
    expect(() => checkDenoms(denoms)).toThrow(/denom/)
  },
)
