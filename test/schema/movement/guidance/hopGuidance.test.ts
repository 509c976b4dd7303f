import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bridges } from '../../../../src/schema/router/bridges/bridges.ts'
import { type RouterWorld, startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import { type Data, now } from '../../../support/world.ts'

const document = `query ($hash: String!) { transfer(chainId: "harbor-1", hash: $hash) {
  state hops { beganAt endedAt }
  guidance { code sentence nextStep waitingFor usualSeconds remainingSeconds isLate funds returns returnsTo { chainId } url supportUrl source }
} }`

let status: object = {}
/** A transfer that has ended stays so: each answer is of another one. */
let transfers = 0
let world: RouterWorld
let router: Awaited<ReturnType<typeof startFakeRouter>>

beforeAll(async () => {
  const chains = [
    { chain_id: 'harbor-1', pretty_name: 'Harbor' },
    { chain_id: '42161', pretty_name: 'Arbitrum' },
    { chain_id: 'away-1', pretty_name: 'Away' },
  ]
  router = await startFakeRouter((path) => {
    if (path.startsWith('/v2/tx/status')) return { body: JSON.stringify(status) }
    return { body: JSON.stringify(path.startsWith('/v2/info/chains') ? { chains } : {}) }
  })
  world = await startRouterWorld({ routerUrl: router.url })
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await router[Symbol.asyncDispose]()
})

async function read(answer: object): Promise<Data> {
  status = answer
  transfers += 1
  return (await world.data(document, { hash: transfers.toString(16).padStart(64, '0') })).transfer
}

const guidanceOf = async (answer: object): Promise<Data> => (await read(answer)).guidance

interface HopOptions {
  readonly from?: string
  readonly to?: string
  /** Seconds since its first transaction. */
  readonly age?: number
}

const hopIn = (key: string, state: string, { from = 'harbor-1', to = 'away-1', age = 10 }: HopOptions = {}) => ({
  [key]: {
    ...{ from_chain_id: from, to_chain_id: to, state },
    packet_txs: {
      send_tx: {
        ...{ chain_id: from, tx_hash: 'AB12', explorer_link: 'https://scan.example' },
        on_chain_at: new Date(now + world.clock.now() - age * 1_000).toISOString(),
      },
    },
  },
})

const pending = (hop: object) => ({
  state: 'STATE_PENDING',
  transfer_sequence: [hop],
  next_blocking_transfer: { transfer_sequence_index: 0 },
})

const failed = (hop: object, release: object | null = null) => ({
  ...pending(hop),
  ...{ state: 'STATE_COMPLETED_ERROR', transfer_asset_release: release },
})

describe.each(bridges.map((bridge) => [bridge.id, bridge.hop] as const))('%s', (_id, { key, states }) => {
  test.each(Object.entries(states))('%s has a sentence and a next step', async (word, { is }) => {
    const guidance = await guidanceOf(is === 'FAILED' ? failed(hopIn(key, word)) : pending(hopIn(key, word)))
    expect(guidance.sentence).toMatch(/^[A-Z].+\.$/)
    expect(guidance.nextStep).toMatch(/^[A-Z].+\.$/)
    expect(guidance.sentence + guidance.nextStep).not.toMatch(/[{}]|harbor-1|away-1/)
    expect(guidance.source).toMatch(/documentation/)
    expect(guidance.url ?? 'https://').toMatch(/^https:/)
  })
})

test('a packet within its usual time says how much of it is left', async () => {
  expect(await guidanceOf(pending(hopIn('ibc_transfer', 'TRANSFER_PENDING')))).toMatchObject({
    code: 'WAIT',
    sentence: 'On its way to Away. A relayer usually delivers it within 30 seconds.',
    ...{ waitingFor: 'RELAYER', usualSeconds: 30, remainingSeconds: 20, isLate: false },
    ...{ funds: 'MOVING', returns: 'AUTOMATIC', returnsTo: { chainId: 'harbor-1' } },
  })
})

test('a packet that takes too long is late, and says how it comes back', async () => {
  const late = await guidanceOf(pending(hopIn('ibc_transfer', 'TRANSFER_PENDING', { age: 301 })))
  expect(late).toMatchObject({ code: 'LATE', isLate: true, remainingSeconds: 0 })
  expect(late.sentence).toMatch(/^Not delivered to Away yet\. .* returns to the sender on Harbor/)
})

test.each([
  ['cctp_transfer', 'CCTP_TRANSFER_SENT', '42161', 1_140],
  ['cctp_transfer', 'CCTP_TRANSFER_SENT', 'away-1', null],
  ['axelar_transfer', 'AXELAR_TRANSFER_PENDING_CONFIRMATION', '42161', 1_140],
  ['cctp_transfer_v2', 'CCTP_TRANSFER_SENT', '42161', null],
])('the usual time of %s in %s from %s is %o seconds', async (key, word, from, usualSeconds) => {
  const remainingSeconds = usualSeconds && usualSeconds - 10
  const isLate = usualSeconds && false
  const guidance = await guidanceOf(pending(hopIn(key, word, { from, to: 'harbor-1' })))
  expect(guidance).toMatchObject({ usualSeconds, remainingSeconds, isLate, returns: 'NEVER', returnsTo: null })
})

test('a hop without times has no time left and is not late', async () => {
  const hop = { ibc_transfer: { from_chain_id: 'harbor-1', to_chain_id: 'away-1', state: 'TRANSFER_PENDING' } }
  expect(await guidanceOf(pending(hop))).toMatchObject({ remainingSeconds: null, isLate: null, usualSeconds: 30 })
})

const release = (chain_id: string, released: boolean) => ({ chain_id, denom: 'uinit', amount: '5', released })
const refused = hopIn.bind(null, 'ibc_transfer', 'TRANSFER_FAILURE')

test.each([
  [
    'back at the source',
    release('harbor-1', true),
    'RETURNED',
    'Not delivered. The funds are back on Harbor.',
    'harbor-1',
  ],
  [
    'released elsewhere',
    release('42161', true),
    'RELEASED',
    'Not delivered to the last chain. The funds are on Arbitrum.',
    '42161',
  ],
  [
    'released on the last chain',
    release('away-1', true),
    'RELEASED',
    'The transfer failed, but its funds were released on Away, the last chain: 5 base units of uinit.',
    'away-1',
  ],
  [
    'not released yet',
    release('harbor-1', false),
    'RETURNING',
    'Not delivered. The funds will be released on Harbor.',
    'harbor-1',
  ],
])('a failure with its funds %s', async (_where, sent, code, sentence, chainId) => {
  expect(await guidanceOf(failed(refused({ to: 'away-1' }), sent))).toMatchObject({
    ...{ code, sentence, returnsTo: { chainId } },
  })
})

const refundingHops = [
  ...[
    ['go_fast_transfer', 'GO_FAST_TRANSFER_REFUNDED'],
    ['axelar_transfer', 'AXELAR_TRANSFER_FAILURE'],
  ],
  ...['cctp_transfer', 'layer_zero_transfer', 'hyperlane_transfer', 'eureka_transfer'].map((key) => [key, 'ODD']),
]

test.each(refundingHops)(
  'a refund of %s names the coin, which need not be the one that was sent',
  async (key, word) => {
    const back = { ...release('harbor-1', true), denom: 'uusdc' }
    const { sentence, code } = await guidanceOf(failed(hopIn(key ?? '', word ?? ''), back))
    expect({ sentence, code }).toEqual({
      sentence: 'Not delivered. The funds are back on Harbor: 5 base units of uusdc.',
      code: 'RETURNED',
    })
  },
)

test('a refund of Go Fast whose coin is not known is not said to be all that was sent', async () => {
  const { sentence, nextStep } = await guidanceOf(failed(hopIn('go_fast_transfer', 'GO_FAST_TRANSFER_REFUNDED')))
  expect(sentence).not.toMatch(/all of it/i)
  expect(nextStep).toContain('another coin')
})

test.each([
  ['STATE_ABANDONED', true, 'The funds are on Away: 5 base units of uinit.'],
  [
    'STATE_COMPLETED_ERROR',
    false,
    'The transfer failed. Its funds will be released on Away, the last chain: 5 base units of uinit.',
  ],
])('what is released on the last chain after %s is not called undelivered (%s)', async (state, released, sentence) => {
  const answer = { ...failed(refused({ to: 'away-1' }), release('away-1', released)), state }
  expect(await guidanceOf(answer)).toMatchObject({ sentence })
})

test.each([
  ['STATE_SUBMITTED', 'NOT_SEEN', 'The router has not seen the transaction on Harbor yet.'],
  ['STATE_ABANDONED', 'TRACKING_ENDED', 'The router has stopped tracking it. That does not stop the funds.'],
  ['STATE_COMPLETED_SUCCESS', 'DELIVERED', 'Arrived on the destination chain.'],
  ['STATE_COMPLETED_ERROR', 'UNKNOWN', 'It failed. The router has not reported yet where the funds are.'],
  ['STATE_NEW', 'UNKNOWN', expect.stringContaining('a state that this gateway does not know')],
])('%s without hops', async (state, code, sentence) => {
  expect(await guidanceOf({ state, transfer_sequence: [] })).toMatchObject({ code, sentence })
})

test('a state and a bridge that nobody knows are said to be unknown', async () => {
  for (const hop of [hopIn('ibc_transfer', 'TRANSFER_ODD'), hopIn('new_transfer', 'NEW_SENT')]) {
    expect(await guidanceOf(pending(hop))).toMatchObject({ code: 'UNKNOWN', funds: 'UNKNOWN', returns: 'UNKNOWN' })
  }
})

test('a hop that has not begun waits for the step before it', async () => {
  const next = { ibc_transfer: { from_chain_id: 'away-1', to_chain_id: '42161' } }
  const answer = {
    ...{ state: 'STATE_PENDING', transfer_sequence: [hopIn('ibc_transfer', 'TRANSFER_SUCCESS'), next] },
    next_blocking_transfer: { transfer_sequence_index: 1 },
  }
  const { guidance, hops } = await read(answer)
  expect(guidance).toMatchObject({ code: 'WAIT', sentence: 'On Away. The next step, to Arbitrum, has not begun yet.' })
  expect(hops).toMatchObject([
    { beganAt: expect.any(String), endedAt: expect.any(String) },
    { beganAt: null, endedAt: null },
  ])
})
