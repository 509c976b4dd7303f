import { describe, expect, test } from 'vitest'
import { contradictionOfHop, tell, tellTransfer } from '../../src/app/proof.ts'
import type { BridgeProofFragment } from '../../src/generated/graphql.ts'
import { text } from '../../src/text.ts'

const chain = (chainId: string) => ({ chainId, prettyName: chainId.toUpperCase() })
const step = (to: string, state: BridgeProofFragment['state']) => ({
  state,
  arrival: { endChain: chain(to), address: null, hash: null, timestamp: null },
})

const movement = (
  state: BridgeProofFragment['state'],
  funds: BridgeProofFragment['guidance']['funds'],
  more: Partial<BridgeProofFragment> = {},
): BridgeProofFragment => ({
  ...step('hub', state),
  departure: { endChain: chain('roll'), hash: 'AB' },
  ...{ sequence: 7, reason: null, isWithdrawal: false, claim: null, onward: null },
  guidance: { funds, sentence: '', nextStep: '' },
  ...more,
})

const arrived = movement('ARRIVED', 'DELIVERED')
const back = movement('TIMED_OUT', 'RETURNED')
const hop = (toChainId: string, bridgeTransfer: BridgeProofFragment | null = null) => ({
  ...{ toChainId, state: 'PENDING', bridgeTransfer },
})
const said = (of: BridgeProofFragment, rawState: string, hops: ReturnType<typeof hop>[] = []) => {
  const contradiction = tell(of, { rawState, hops })?.contradiction
  return contradiction && text.contradiction(contradiction)
}

describe('a contradiction', () => {
  test.each([
    [arrived, 'STATE_PENDING', 'it arrived on HUB; the router says that it is pending'],
    [arrived, 'STATE_COMPLETED_ERROR', 'it arrived on HUB; the router says that it failed'],
    [back, 'STATE_COMPLETED_SUCCESS', 'it was not delivered, and is back on ROLL; the router says that it succeeded'],
    [
      movement('REFUSED', 'CLAIMABLE'),
      'STATE_COMPLETED_SUCCESS',
      'it was not delivered to HUB; the router says that it succeeded',
    ],
    [
      movement('ON_THE_WAY', 'CLAIMABLE', { isWithdrawal: true, claim: { claimableAt: null, isClaimable: true } }),
      'STATE_COMPLETED_SUCCESS',
      'nobody has claimed it on HUB; the router says that it succeeded',
    ],
  ])('is said with both sources', (of, rawState, sentence) => {
    expect(said(of, rawState)).toBe(`The records of the chains prove that ${sentence}.`)
  })

  test.each([
    ['they agree', arrived, 'STATE_COMPLETED_SUCCESS'],
    ['they agree that it failed', back, 'STATE_COMPLETED_ERROR'],
    ['the router has not looked yet', arrived, 'STATE_SUBMITTED'],
    ['the router has stopped tracking', arrived, 'STATE_ABANDONED'],
    [
      'only the step after the arrival failed',
      movement('ARRIVED', 'DELIVERED', { reason: 'hook failed' }),
      'STATE_COMPLETED_ERROR',
    ],
    ['a refusal is on its way back', movement('REFUSED', 'RETURNING'), 'STATE_PENDING_ERROR'],
    ['the records leave it open', movement('UNKNOWN', 'UNKNOWN'), 'STATE_COMPLETED_SUCCESS'],
    ['only the router knows it', movement('ARRIVED', 'DELIVERED', { sequence: null }), 'STATE_PENDING'],
  ])('is none where %s', (_, of, rawState) => {
    expect(said(of, rawState)).toBeUndefined()
  })

  test('of a hop does not count what came after it', () => {
    const onward = { ...step('osmosis', 'REFUNDED'), onward: null }
    const passedOn = movement('PASSED_ON', 'RETURNED', { onward })
    expect(contradictionOfHop({ state: 'COMPLETED', bridgeTransfer: passedOn })).toBeUndefined()
    expect(contradictionOfHop({ state: 'PENDING', bridgeTransfer: passedOn })).toMatchObject({ proof: 'arrived' })
  })
})

describe('the end of a transfer', () => {
  test('is an arrival, unless the router has hops behind it', () => {
    expect(tell(arrived, null)).toMatchObject({ isEnded: true })
    expect(tell(arrived, { rawState: 'STATE_PENDING', hops: [hop('hub'), hop('noble')] })).toBeUndefined()
    // Hops on another way are no hops behind it.
    expect(tell(arrived, { rawState: 'STATE_PENDING', hops: [hop('noble'), hop('osmosis')] })).toMatchObject({
      isEnded: true,
    })
  })
  test('is a return, whatever hops the router has behind it', () => {
    expect(tell(back, { rawState: 'STATE_PENDING', hops: [hop('hub'), hop('noble')] })).toMatchObject({
      isEnded: true,
    })
  })
  test('is where the last movement arrived', () => {
    const onward = { ...step('osmosis', 'ARRIVED'), onward: null }
    const passedOn = movement('PASSED_ON', 'DELIVERED', { onward })
    const hops = [hop('hub'), hop('osmosis')]
    expect(tell(passedOn, { rawState: 'STATE_PENDING', hops })).toMatchObject({ contradiction: { to: 'OSMOSIS' } })
    expect(tell(passedOn, { rawState: 'STATE_PENDING', hops: [...hops, hop('noble')] })).toBeUndefined()
  })
  test('of a withdrawal is its claim', () => {
    expect(tell(movement('UNKNOWN', 'UNKNOWN', { isWithdrawal: true }), null)).toMatchObject({ isEnded: false })
    expect(tell(movement('ARRIVED', 'DELIVERED', { isWithdrawal: true }), null)).toMatchObject({ isEnded: true })
  })
})

describe('of a transfer', () => {
  const transfer = { hash: '0xab', rawState: 'STATE_PENDING', hops: [] as ReturnType<typeof hop>[] }
  test('the movement counts that its transaction began', () => {
    const before = movement('ARRIVED', 'DELIVERED', { departure: { endChain: chain('other'), hash: 'CD' } })
    expect(tellTransfer(transfer, [before, back])?.movement).toBe(back)
  })
  test('none counts of several that it began', () => {
    expect(tellTransfer(transfer, [arrived, back])).toBeUndefined()
  })
  test('the last hop with records counts, if no indexer has its first transaction', () => {
    const hops = [hop('roll', movement('ARRIVED', 'DELIVERED', { sequence: null })), hop('hub', back)]
    expect(tellTransfer({ ...transfer, hops })?.movement).toBe(back)
  })
})
