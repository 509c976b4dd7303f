import { expect, test } from 'vitest'
import { ibcDenom } from '../../../src/sandbox/router/assets.ts'
import { metadataOf } from '../../../src/sandbox/world/moveStores.ts'
import { assetIndexes } from '../../../src/schema/router/assetIndexes.ts'

const asset = (denom: string, trace = '', origin_chain_id = 'home', origin_denom = 'uusdc') => ({
  ...{ denom, trace, origin_chain_id, origin_denom },
})

test('a coin is found by the metadata that a Move chain makes of its denom', () => {
  const token = 'ab'.repeat(32)
  const { findByMetadata } = assetIndexes([asset('uinit'), asset(`move/${token}`)])
  // Recorded on the hub.
  const recorded = '0x8e4733bdabcf7d4afc3d14f0dd46c9bf52fb0fce9e4b996c939e195b8bc891d9'
  expect(metadataOf('uinit')).toBe(recorded)
  expect(findByMetadata(recorded)?.denom).toBe('uinit')
  expect(findByMetadata(`0x${token}`)?.denom).toBe(`move/${token}`)
  expect(findByMetadata(metadataOf('uother'))).toBeNull()
})

test('a channel leads to the chain of an asset that came straight over it', () => {
  const direct = asset(ibcDenom('transfer/channel-3/uusdc'), 'transfer/channel-3', 'noble-1')
  // The same coin by way of a rollup, over whose bridge it came first.
  const indirect = asset(ibcDenom('transfer/channel-4/l2/ab'), 'transfer/channel-4', 'noble-1')
  const far = asset(
    ibcDenom('transfer/channel-5/transfer/channel-1/uusdc'),
    'transfer/channel-5/transfer/channel-1',
  )
  const { chainBehind } = assetIndexes([far, indirect, direct])
  expect(chainBehind('channel-3')).toBe('noble-1')
  expect(chainBehind('channel-4')).toBeNull()
  expect(chainBehind('channel-5')).toBeNull()
})
