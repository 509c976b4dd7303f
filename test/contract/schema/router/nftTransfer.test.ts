import { afterAll, expect, test } from 'vitest'
import { addressOn, startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'

const world = await startRouterWorld()
afterAll(() => world[Symbol.asyncDispose]())

const messages = `query ($input: NftTransferInput!) {
  nftTransferMessages(input: $input) { rawKind isAmino body }
}`

const transfer = (from: string, to: string, more: object = {}) => ({
  input: {
    ...{ sourceChainId: from, sourceAddress: addressOn(from) },
    ...{ destinationChainId: to, destinationAddress: addressOn(to, 'bob') },
    ...{ collectionAddress: '0xa24e1fbdd213712dfff32fe545d49345e26dad72', tokenIds: ['7', '8'] },
    ...more,
  },
})

test.each([
  ['galley-1', '/minievm.evm.v1.MsgCall'],
  ['harbor-1', '/initia.move.v1.MsgExecuteJSON'],
  ['lantern-1', '/cosmwasm.wasm.v1.MsgExecuteContract'],
])('on %s, each NFT takes one message of its chain', async (chainId, rawKind) => {
  world.requests()
  const { nftTransferMessages } = await world.data(messages, transfer(chainId, chainId))
  expect(world.requests().filter((request) => request.startsWith('POST'))).toEqual(['POST /nft'])
  expect(nftTransferMessages).toHaveLength(2)
  expect(nftTransferMessages[0]).toMatchObject({
    ...{ rawKind, isAmino: false },
    body: { sender: addressOn(chainId) },
  })
})

test('NFTs of a Move chain are sent by object address if the input has one', async () => {
  const more = { objectAddresses: ['0x7a', '0x8b'] }
  const { nftTransferMessages } = await world.data(messages, transfer('harbor-1', 'harbor-1', more))
  expect(nftTransferMessages.map(({ body }: Data) => JSON.parse(body.args[0]))).toEqual(['0x7a', '0x8b'])
})

test('NFTs to another chain are sent in one packet', async () => {
  const more = { classId: 'move/abc' }
  const { nftTransferMessages } = await world.data(messages, transfer('harbor-1', 'galley-1', more))
  expect(nftTransferMessages).toMatchObject([
    {
      rawKind: '/ibc.applications.nft_transfer.v1.MsgTransfer',
      body: {
        ...{ class_id: 'move/abc', token_ids: ['7', '8'] },
        receiver: addressOn('galley-1', 'bob'),
      },
    },
  ])
})

test('the request uses router field names, and amino messages are read', async () => {
  await using router = await startFakeRouter((path) => ({
    body: path === '/nft' ? '{"msgs":[{"type":"wasm/MsgExecuteContract","value":{"a":"1"}}]}' : '{}',
  }))
  await using other = await startRouterWorld({ routerUrl: router.url })
  const more = {
    objectAddresses: ['0x1', '0x2'],
    classTrace: { path: 'nft-transfer/channel-1', baseClassId: 'base' },
    extra: { timeout: 60 },
  }
  const variables = transfer('harbor-1', 'galley-1', more)
  expect((await other.data(messages, variables)).nftTransferMessages).toEqual([
    { rawKind: 'wasm/MsgExecuteContract', isAmino: true, body: { a: '1' } },
  ])
  expect(JSON.parse(router.bodies.at(-1) ?? '')).toEqual({
    ...{ from_chain_id: 'harbor-1', from_address: addressOn('harbor-1') },
    ...{ to_chain_id: 'galley-1', to_address: addressOn('galley-1', 'bob') },
    collection_address: variables.input.collectionAddress,
    ...{ token_ids: ['7', '8'], object_addresses: ['0x1', '0x2'], timeout: 60 },
    class_trace: { path: 'nft-transfer/channel-1', base_class_id: 'base' },
  })
})

test('invalid input is refused without a request, and chains without NFTs by the router', async () => {
  world.requests()
  for (const more of [
    { tokenIds: [] },
    { tokenIds: Array.from({ length: 31 }, String) },
    { objectAddresses: ['0x1'] },
    { sourceChainId: 'a b' },
    { sourceAddress: addressOn('osmosis-1') },
    { extra: { token_ids: [] } },
  ]) {
    expect(await world.fault(messages, transfer('harbor-1', 'galley-1', more))).toEqual(['BAD_USER_INPUT'])
  }
  expect(world.requests().filter((request) => request.startsWith('POST'))).toEqual([])
  expect(await world.fault(messages, transfer('harbor-1', 'osmosis-1'))).toEqual(['UPSTREAM_REJECTED'])
})
