import { expect, test } from 'vitest'
import type { GraphAnswer } from '../src/graph.ts'
import { transferStatus } from '../src/tools/transferStatus.ts'
import { connect, standInGraph } from './support/standIn.ts'

// What the graph says of the records of the chains and of the router, by answers of a graph that stand in for real ones.

const hub = { chainId: 'hub', chain: { prettyName: 'HUB' } }
const hash = 'AB'.repeat(32)

const movement = (state: string, isProven: boolean, onward: object | null = null) => ({
  ...{
    state,
    isProven,
    onward,
    summary: `Sent 5 INIT; ${state}`,
    bridge: 'IBC',
    reason: null,
    refund: null,
    claim: null,
  },
  departure: { chainId: 'roll', chain: { prettyName: 'ROLL' }, hash, address: 'init1a', amount: '5', denom: 'uinit' },
  arrival: { ...hub, hash: 'CD', address: 'init1b', amount: '5', denom: 'ibc/aa' },
  guidance: { sentence: `${state}.`, nextStep: 'Nothing.' },
})
type Movement = ReturnType<typeof movement>

const hop = (state: string, reportedState: string, bridgeTransfer: Movement | null) => ({
  ...{ index: 0, bridge: 'IBC', state, reportedState, isBlocking: state !== 'COMPLETED' },
  ...{ fromChain: { prettyName: 'ROLL' }, toChain: hub.chain, transactions: [], error: null, bridgeTransfer },
})

/** An answer of the graph. `code` is that of its guidance, and `contradiction` what the router says instead. */
const answerOf = (
  { state = 'PENDING', outcome = 'PENDING', code = 'WAIT', contradiction = null as string | null },
  found: Movement | null = null,
  hops: readonly ReturnType<typeof hop>[] = [],
): GraphAnswer => ({
  data: {
    transfer: {
      ...{ state, rawState: 'STATE_PENDING', outcome, search: null, hops, assetRelease: null, error: null },
      guidance: { code, contradiction, sentence: `${code}.`, nextStep: 'Wait.', funds: 'MOVING' },
      chain: { chainId: 'roll', prettyName: 'ROLL' },
      transaction: found && { bridgeTransfers: [found] },
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

const contradiction = 'The router says that it is on its way.'

test('an end that the records prove is not waited for, and the word of the router has its name', async () => {
  const arrived = movement('ARRIVED', true)
  const proven = { state: 'COMPLETED_SUCCESS', outcome: 'SUCCEEDED', code: 'DELIVERED', contradiction }
  const answer = await told(answerOf(proven, arrived, [hop('COMPLETED', 'PENDING', arrived)]))
  expect(answer).toMatchObject({
    ...{ isLast: true, isEnded: true, outcome: 'SUCCEEDED', contradiction, router: { state: 'STATE_PENDING' } },
    bridgeTransfers: [{ state: 'ARRIVED', isProven: true }],
  })
  expect(answer).toHaveProperty('hops.0', {
    ...{ from: 'ROLL', to: 'HUB', bridge: 'IBC', state: 'COMPLETED', transactions: [] },
    records: { state: 'ARRIVED', departure: hash, arrival: 'CD' },
    contradiction: 'The records of the chains prove COMPLETED. The router says PENDING.',
  })
  expect(answer).not.toHaveProperty('next')
})

test('what is open is waited for, and its router is not named where it is not contradicted', async () => {
  const arrived = movement('ARRIVED', true)
  const hops = [hop('COMPLETED', 'COMPLETED', arrived), hop('PENDING', 'PENDING', null)]
  const answer = await told(answerOf({}, arrived, hops))
  expect(answer).toMatchObject({ isLast: false, isEnded: false, outcome: 'PENDING', waitsFor: 'ROLL to HUB' })
  expect(answer).toHaveProperty('next')
  for (const name of ['contradiction', 'router', 'hops.0.contradiction']) expect(answer).not.toHaveProperty(name)
})

test('a refusal that is not back yet is no end, though the router calls it one', async () => {
  const refused = { state: 'PENDING_ERROR', code: 'RETURNING', contradiction: 'The router says that it arrived.' }
  expect(await told(answerOf(refused))).toMatchObject({ isLast: false, isEnded: false, outcome: 'PENDING' })
})

test('a state that only the router knows is not called proven', async () => {
  const reported = movement('ARRIVED', false)
  const answer = await told(answerOf({}, reported, [hop('COMPLETED', 'COMPLETED', reported)]))
  expect(answer).toMatchObject({ bridgeTransfers: [{ state: 'ARRIVED', isProven: false }] })
  expect(answer).not.toHaveProperty('hops.0.records')
  expect(answer).not.toHaveProperty('hops.0.contradiction')
})

test.each([
  ['DELIVERED', 'SUCCEEDED', true],
  ['RETURNED', 'FAILED', true],
  ['UNTRACKED', 'PENDING', false],
])('of what no router follows, %s by the guidance is %s', async (code, outcome, isEnded) => {
  const answer = await told(answerOf({ state: 'UNTRACKED', code }, movement('ARRIVED', true)))
  expect(answer).toMatchObject({ isLast: isEnded, isEnded, outcome })
})

test('the guidance is no end where the router follows it', async () => {
  expect(await told(answerOf({ code: 'DELIVERED' }))).toMatchObject({ isLast: false, isEnded: false })
})

test('what was passed on is told with the last chain that took it', async () => {
  const last = { state: 'ARRIVED', arrival: { chainId: 'osmosis', chain: { prettyName: 'OSMOSIS' }, hash: 'EF' } }
  expect(await told(answerOf({}, movement('PASSED_ON', true, last)))).toMatchObject({
    bridgeTransfers: [{ onward: { state: 'ARRIVED', chain: 'OSMOSIS', hash: 'EF' } }],
  })
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
