import { expect, test } from 'vitest'
import type { GraphAnswer } from '../src/graph.ts'
import { transferStatus } from '../src/tools/transferStatus.ts'
import { connect, standInGraph } from './support/standIn.ts'

// The proof of the records and the word of the router, by answers of a graph that stand in for real ones.

const chain = (chainId: string) => ({ chainId, chain: { prettyName: chainId.toUpperCase() } })
const from = chain('roll')
const to = chain('hub')
const hash = 'AB'.repeat(32)

const movement = (state: string, funds: string, more: object = {}) => ({
  ...{
    state,
    summary: `Sent 5 INIT; ${state}`,
    bridge: 'IBC',
    sequence: 7,
    reason: null,
    isWithdrawal: false,
    claim: null,
  },
  departure: { ...from, hash, address: 'init1a', amount: '5', denom: 'uinit' },
  arrival: { ...to, hash: 'CD', address: 'init1b', amount: '5', denom: 'ibc/aa' },
  ...{ refund: null, onward: null, guidance: { funds, sentence: `${state}.`, nextStep: 'Nothing.' } },
  ...more,
})
type Movement = ReturnType<typeof movement>

const hop = (fromChainId: string, toChainId: string, state: string, bridgeTransfer: Movement | null = null) => ({
  ...{ index: 0, bridge: 'IBC', state, isBlocking: state !== 'COMPLETED', toChainId },
  ...{ fromChain: chain(fromChainId).chain, toChain: chain(toChainId).chain, transactions: [], error: null },
  bridgeTransfer,
})

const answerOf = (
  rawState: string,
  movements: readonly Movement[],
  hops: readonly ReturnType<typeof hop>[] = [],
): GraphAnswer => ({
  data: {
    transfer: {
      ...{ hash, state: 'PENDING', rawState, outcome: 'PENDING', isTerminal: false, search: null },
      guidance: { code: 'WAIT', sentence: 'On its way.', nextStep: 'Wait.', isLate: false, funds: 'MOVING' },
      chain: { chainId: 'roll', prettyName: 'ROLL' },
      ...{ transaction: { bridgeTransfers: movements }, hops, assetRelease: null, error: null },
    },
  },
})

/** What the tool says of an answer, and whether it would wait for another one. */
async function told(answer: GraphAnswer) {
  const { graph } = standInGraph(() => answer)
  let isLast: boolean | undefined
  const client = await connect({
    ...graph,
    watch(request, options) {
      isLast = options.isLast(answer)
      return graph.watch(request, options)
    },
  })
  const { structuredContent } = await client.callTool({
    name: transferStatus.name,
    arguments: { chainId: 'roll', hash },
  })
  await client.close()
  return { ...(structuredContent as Record<string, unknown>), isLast }
}

const arrived = movement('ARRIVED', 'DELIVERED')

test('a proven end is not waited for, whatever the router says', async () => {
  expect(await told(answerOf('STATE_PENDING', [arrived]))).toMatchObject({
    ...{ isLast: true, isEnded: true, outcome: 'SUCCEEDED', router: { state: 'STATE_PENDING' } },
    contradiction: 'The records of the chains prove that it arrived on HUB. The router says that it is pending.',
  })
})

test('an arrival before a further hop of the router is no end, and contradicts nothing', async () => {
  const hops = [hop('roll', 'hub', 'COMPLETED', arrived), hop('hub', 'noble', 'PENDING')]
  const answer = await told(answerOf('STATE_PENDING', [arrived], hops))
  expect(answer).toMatchObject({ isLast: false, isEnded: false, outcome: 'PENDING', waitsFor: 'HUB to NOBLE' })
  expect(answer).toHaveProperty('next')
  expect(answer).not.toHaveProperty('contradiction')
})

test('what came back never reaches a further hop', async () => {
  const back = movement('TIMED_OUT', 'RETURNED')
  const hops = [hop('roll', 'hub', 'PENDING', back), hop('hub', 'noble', 'PENDING')]
  expect(await told(answerOf('STATE_PENDING', [back], hops))).toMatchObject({ isEnded: true, outcome: 'FAILED' })
})

test('hops to other chains than those of the records are no further hops', async () => {
  const hops = [hop('roll', 'noble', 'PENDING', arrived), hop('noble', 'osmosis', 'PENDING')]
  expect(await told(answerOf('STATE_PENDING', [arrived], hops))).toMatchObject({ isEnded: true, outcome: 'SUCCEEDED' })
})

test('what was passed on has ended on the last chain that took it', async () => {
  const onward = { state: 'ARRIVED', arrival: { ...chain('osmosis'), hash: 'EF' }, onward: null }
  const passedOn = movement('PASSED_ON', 'DELIVERED', { onward })
  const hops = [hop('roll', 'hub', 'COMPLETED', passedOn), hop('hub', 'osmosis', 'PENDING')]
  expect(await told(answerOf('STATE_PENDING', [passedOn], hops))).toMatchObject({
    isEnded: true,
    bridgeTransfers: [{ onward: { state: 'ARRIVED', chain: 'OSMOSIS', hash: 'EF' } }],
    contradiction: 'The records of the chains prove that it arrived on OSMOSIS. The router says that it is pending.',
  })
})

test('a withdrawal that nobody claimed contradicts a success', async () => {
  const claim = { claimableAt: null, isClaimable: true }
  const open = movement('UNKNOWN', 'CLAIMABLE', { isWithdrawal: true, claim })
  expect(await told(answerOf('STATE_COMPLETED_SUCCESS', [open]))).toMatchObject({
    ...{ isEnded: false, outcome: 'PENDING' },
    contradiction:
      'The records of the chains prove that nobody has claimed it on HUB. The router says that it succeeded.',
  })
})

test.each([
  ['the router has not looked yet', 'STATE_SUBMITTED', arrived],
  ['the router has stopped tracking', 'STATE_ABANDONED', arrived],
  [
    'only the step after the arrival failed',
    'STATE_COMPLETED_ERROR',
    movement('ARRIVED', 'DELIVERED', { reason: 'hook failed' }),
  ],
  ['a refusal is on its way back', 'STATE_PENDING_ERROR', movement('REFUSED', 'RETURNING')],
])('it is no contradiction that %s', async (_, rawState, found) => {
  expect(await told(answerOf(rawState, [found]))).not.toHaveProperty('contradiction')
})

test('a refusal that is not back yet is no end, though the router calls it one', async () => {
  const answer = answerOf('STATE_COMPLETED_SUCCESS', [movement('REFUSED', 'CLAIMABLE')])
  Object.assign(answer.data?.transfer as object, { isTerminal: true, outcome: 'SUCCEEDED' })
  expect(await told(answer)).toMatchObject({ isLast: true, isEnded: false, outcome: 'PENDING' })
})

test.each([{ data: null }, { errors: [{ message: 'No.' }] }])(
  'an event without a transfer is not the last: %o',
  async (event) => {
    const { graph } = standInGraph(() => event)
    let isLast: boolean | undefined
    await transferStatus.run(
      { chainId: 'roll', hash },
      {
        ...graph,
        async watch(_, options) {
          isLast = options.isLast(event)
          return event
        },
      },
    )
    expect(isLast).toBe(false)
  },
)

test('what only the router knows proves nothing against it', async () => {
  const reported = movement('ARRIVED', 'DELIVERED', { sequence: null })
  const answer = await told(answerOf('STATE_PENDING', [], [hop('roll', 'hub', 'PENDING', reported)]))
  expect(answer).toMatchObject({ isEnded: false, bridgeTransfers: [] })
  expect(answer).not.toHaveProperty('hops.0.records')
  expect(answer).not.toHaveProperty('hops.0.contradiction')
})

test('of a transaction that ends one movement and begins another, the one that it begins is told', async () => {
  const before = movement('ARRIVED', 'DELIVERED', { departure: { ...from, hash: 'EF' } })
  const back = movement('REFUNDED', 'RETURNED')
  expect(await told(answerOf('STATE_PENDING', [before, back]))).toMatchObject({ isEnded: true, outcome: 'FAILED' })
})

test('of several movements none is taken for the whole transfer', async () => {
  const back = movement('REFUNDED', 'RETURNED')
  const answer = await told(answerOf('STATE_PENDING', [arrived, back]))
  expect(answer).toMatchObject({ isEnded: false, bridgeTransfers: [{ state: 'ARRIVED' }, { state: 'REFUNDED' }] })
})
