import { expect, test } from 'vitest'
import { tallyContracts, tallyProposers } from '../../src/values/tallies.ts'

const block = (height: number, moniker: string | null, operatorAddress: string | null = moniker) => ({
  height,
  proposer: moniker || operatorAddress ? { moniker, operatorAddress } : null,
})

test('proposers are counted by their addresses, with their newest block', () => {
  const blocks = [block(9, 'A'), block(8, 'B'), block(7, 'B'), block(6, null), block(5, 'New name of B', 'B')]
  expect(
    tallyProposers(blocks).map(({ proposer, blocks, newest }) => [proposer.moniker, blocks, newest.height]),
  ).toEqual([
    ['New name of B', 3, 8],
    ['A', 1, 9],
  ])
})

const call = (height: number, address: string, called: string | null, kind = 'CONTRACT_CALL') => ({
  ...{ hash: `${height}`, height },
  actions: [{ kind, function: called, contract: { address } }],
})

test.each([
  ['0x18178358', '0x18178358'],
  ['0xa9059cbb', 'transfer'],
  ['transferFrom(address,address,uint256)', 'transferFrom'],
  ['send_nft', 'send_nft'],
])('a call of %s is one of %s', (written, name) => {
  expect(tallyContracts([call(1, '0x1', written)])[0]?.functions).toEqual([name])
})

test('contracts are counted with their functions, and Move modules of one address apart', () => {
  const tallies = tallyContracts([
    call(9, '0xaa', 'b()'),
    call(8, 'init1x', '0x1::dex::swap'),
    call(7, '0xaa', 'a()'),
    call(6, 'init1x', '0x1::dex::swap'),
    call(5, 'init1x', '0x1::coin::send'),
    call(4, '0xaa', 'a()'),
    call(3, '0xbb', null, 'CONTRACT_DEPLOY'),
    { hash: '2', height: 2, actions: [{ kind: 'SEND' }] },
    { hash: '1', height: 1, actions: null },
  ])
  expect(
    tallies.map(({ address, module, calls, functions, isCreated, newest }) => [
      ...[module ?? address, calls, functions.join(), isCreated, newest.height],
    ]),
  ).toEqual([
    ['0xaa', 3, 'a,b', false, 9],
    ['0x1::dex', 2, 'swap', false, 8],
    ['0x1::coin', 1, 'send', false, 5],
    ['0xbb', 1, '', true, 3],
  ])
})
