import { expect, test } from 'vitest'
import type { Context } from '../../../../src/engine/graphql/builder.ts'
import { type FoundStep, keyOfStep } from '../../../../src/schema/indexer/transaction/bridgeSteps.ts'
import { findCounterparty } from '../../../../src/schema/movement/recorded/counterparty.ts'

interface Chain {
  readonly chainId: string
  readonly opInitBridgeId?: string
  /** The chains behind its channels. */
  readonly channels?: Readonly<Record<string, string>>
}

/** The context of an operation over some indexed chains, without a registry and a router. */
function contextOf(chains: readonly Chain[]): Context {
  const served = chains.map(({ channels = {}, ...chain }) => [
    chain.chainId,
    { ...chain, ibcChannels: new Map(Object.entries(channels)) },
  ])
  const network = { chains: new Map(served as [string, unknown][]), listed: new Map(), router: undefined }
  return { network, scope: { cache: { hints: { open: () => new Map() } } } } as unknown as Context
}

const packet = { bridge: 'IBC', sequence: '7', source: 'channel-3', destination: 'channel-0' } as const

const step = (parts: Partial<FoundStep>): FoundStep => ({
  chainId: 'hub-1',
  hash: 'A0',
  height: 1n,
  timestamp: '2026-10-01T12:00:00Z',
  kind: 'SENT',
  ...{ messageIndex: 0, path: [0], gain: null, isKept: false },
  route: packet,
  sender: null,
  caller: null,
  receiver: null,
  amount: 5n,
  sourceDenom: 'uhub',
  destinationDenom: null,
  exchangedDenom: null,
  hasNextHop: false,
  isForward: false,
  onward: null,
  returnsTo: null,
  timeout: null,
  reason: null,
  returnSequence: null,
  ...parts,
})

const deposit = { bridge: 'OPINIT', sequence: '7', bridgeId: '24', direction: 'DEPOSIT' } as const

const idsOf = (peer: Awaited<ReturnType<typeof findCounterparty>>) => [
  peer.chainId,
  peer.candidates.map(({ chainId }) => chainId),
]

test('the channel of the chain itself names the other chain', async () => {
  const context = contextOf([
    { chainId: 'hub-1', channels: { 'channel-3': 'two-1' } },
    { chainId: 'one-1', channels: { 'channel-0': 'hub-1' } },
    { chainId: 'two-1' },
  ])
  expect(idsOf(await findCounterparty(context, step({})))).toEqual(['two-1', ['two-1']])
})

test('an equal channel number of another chain only makes it the first to search', async () => {
  const context = contextOf([
    { chainId: 'hub-1' },
    { chainId: 'one-1' },
    { chainId: 'two-1', channels: { 'channel-0': 'hub-1' } },
  ])
  expect(idsOf(await findCounterparty(context, step({})))).toEqual([null, ['two-1', 'one-1']])
})

test('a bridge number leads to a chain only where its channels do', async () => {
  const rollup = { chainId: 'rollup-1', opInitBridgeId: '24' }
  const sent = step({ route: deposit })
  const mine = contextOf([{ chainId: 'hub-1' }, { ...rollup, channels: { 'channel-0': 'hub-1' } }])
  expect((await findCounterparty(mine, sent)).chainId).toBe('rollup-1')
  const ofAnotherHub = contextOf([{ chainId: 'hub-1' }, { ...rollup, channels: { 'channel-0': 'hub-2' } }])
  expect((await findCounterparty(ofAnotherHub, sent)).chainId).toBe(null)
})

test('equal sequences over two channels are two steps', () => {
  const other = step({ route: { ...packet, source: 'channel-4' } })
  expect(keyOfStep(other)).not.toBe(keyOfStep(step({})))
})
