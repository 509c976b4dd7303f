import { expect, test } from 'vitest'
import { originOf } from '../../src/pages/contract/contractOrigin.ts'

const it = '0xAB'
const nodes = <Node>(node: Node) => ({ nodes: [node] })
const evm = { hash: '0x1', timestamp: null, from: { address: '0xme' }, createdContract: null }

test('the creator of a contract of the EVM sent the transaction that created it, or is the contract that did', () => {
  const created = nodes({ ...evm, createdContract: { address: '0xab' } })
  expect(originOf({ evmTransactions: created }, it)).toMatchObject({ creator: '0xme', first: { hash: '0x1' } })
  const call = nodes({ kind: 'CREATE2' as const, from: { address: '0xfactory' }, to: { address: '0xab' } })
  expect(originOf({ evmTransactions: nodes(evm), evmInternalTransactions: call }, it).creator).toBe('0xfactory')
})

test('without a proof there is no creator', () => {
  const call = nodes({ kind: 'CALL' as const, from: { address: '0xfactory' }, to: { address: '0xab' } })
  expect(originOf({ evmTransactions: nodes(evm), evmInternalTransactions: call }, it)).toMatchObject({
    creator: undefined,
    first: { hash: '0x1' },
  })
  expect(originOf({}, it)).toEqual({ creator: undefined, first: undefined })
})

test('the creator of a contract of CosmWasm signed the transaction whose events name it', () => {
  const tx = (value: string) =>
    nodes({
      ...{ hash: 'A', timestamp: null, signers: [{ account: { address: 'init1me' } }] },
      events: [{ attributes: [{ key: '_contract_address', value }] }],
    })
  expect(originOf({ transactions: tx('init1it') }, 'init1it').creator).toBe('init1me')
  expect(originOf({ transactions: tx('init1other') }, 'init1it').creator).toBeUndefined()
})
