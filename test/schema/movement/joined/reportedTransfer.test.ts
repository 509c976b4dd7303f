import { expect, test } from 'vitest'
import { startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'

test('a transfer has one hash, also where the router spells that of its hop in another way', async () => {
  const place = { chain_id: 'harbor-1', tx_hash: `0x${'ab'.repeat(32)}` }
  const hop = { from_chain_id: 'harbor-1', to_chain_id: 'osmosis-1', state: 'TRANSFER_PENDING' }
  await using router = await startFakeRouter(() => ({
    body: JSON.stringify({
      state: 'STATE_PENDING',
      transfer_sequence: [{ ibc_transfer: { ...hop, packet_txs: { send_tx: place } } }],
    }),
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { transfer } = await world.data(`{ transfer(chainId: "harbor-1", hash: "${'ab'.repeat(32)}") {
    id hash hops { bridgeTransfer { transfer { id hash } } } } }`)
  const { hops, ...own } = transfer
  expect(own.hash).toBe('AB'.repeat(32))
  expect(hops).toEqual([{ bridgeTransfer: { transfer: own } }])
})
