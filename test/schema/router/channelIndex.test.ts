import { expect, test } from 'vitest'
import { ibcDenom } from '../../../packages/sandbox/src/router/assets.ts'
import { channelIndex } from '../../../src/schema/router/asset/channels.ts'

const asset = (denom: string, trace = '', origin_chain_id = 'home', origin_denom = 'uusdc') => ({
  ...{ denom, trace, origin_chain_id, origin_denom },
})

test('a channel leads to the chain of an asset that came directly over it', () => {
  const direct = asset(ibcDenom('transfer/channel-3/uusdc'), 'transfer/channel-3', 'noble-1')
  // The same coin by way of a rollup, over whose bridge it came first.
  const indirect = asset(ibcDenom('transfer/channel-4/l2/ab'), 'transfer/channel-4', 'noble-1')
  const far = asset(ibcDenom('transfer/channel-5/transfer/channel-1/uusdc'), 'transfer/channel-5/transfer/channel-1')
  const { chainBehind } = channelIndex([far, indirect, direct])
  expect(chainBehind('channel-3')).toBe('noble-1')
  expect(chainBehind('channel-4')).toBeNull()
  expect(chainBehind('channel-5')).toBeNull()
})
