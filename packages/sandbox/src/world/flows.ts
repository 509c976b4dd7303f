import { erc20Contract } from '../router/assets.ts'
import type { CoinMove } from './coins.ts'
import { costOf, storyCost } from './costs.ts'
import { effectsOf } from './effects.ts'
import type { Fixtures } from './fixtures.ts'
import { transfersIn } from './logs.ts'
import { poolMoves } from './moveCalls.ts'
import { movesOf } from './moves.ts'
import { partiesOf } from './parties.ts'
import type { Shape } from './shape.ts'
import type { Lane } from './stories/lane.ts'

/** A change of the balance that an account has of a denom, in base units. */
export interface Flow {
  /** In 0x form. */
  readonly account: string
  readonly denom: string
  readonly amount: bigint
}

/** The changes of balances that a transaction makes. One that fails pays only its fee. */
export function flowsOf(fixtures: Fixtures, shape: Shape): readonly Flow[] {
  const [payer] = partiesOf(fixtures, shape)
  const { denom, amount } = costOf(fixtures, shape).fee
  const fee: Flow = { account: payer.hex, denom, amount: -BigInt(amount) }
  const collected: Flow = { account: fixtures.feeCollector.hex, denom, amount: BigInt(amount) }
  return shape.failed ? [fee, collected] : [fee, collected, ...effectFlows(fixtures, shape)]
}

/** The changes of balances that a transaction of a lane makes. */
export function storyFlows(fixtures: Fixtures, lane: Lane, number: number): readonly Flow[] {
  const { signer, messages } = lane.transactionOf(number)
  const { denom, amount } = storyCost(fixtures, lane).fee
  const fee: CoinMove = { from: signer, to: fixtures.feeCollector, coins: [{ denom, amount: BigInt(amount) }] }
  return [fee, ...messages.flatMap(({ moves }) => moves)].flatMap(flowsOfMove)
}

function effectFlows(fixtures: Fixtures, shape: Shape): readonly Flow[] {
  switch (fixtures.chain.vm) {
    case 'evm': {
      // Every denom is a contract, also those that the bank module moves.
      const { chain, bridgedDenom } = fixtures
      const bridged = erc20Contract(chain.chainId, bridgedDenom)
      return transfersIn(effectsOf(fixtures, shape).logs).flatMap(({ contract, from, to, amount }) => {
        const denom = contract === bridged ? bridgedDenom : contract.replace(/^0x/, 'evm/')
        return [
          ...(from ? [{ account: from, denom, amount: -amount }] : []),
          ...(to ? [{ account: to, denom, amount }] : []),
        ]
      })
    }
    case 'move':
      return [...movesOf(fixtures, shape).flat(), ...poolMoves(fixtures, shape)].flatMap(flowsOfMove)
    case 'wasm':
      return movesOf(fixtures, shape).flat().flatMap(flowsOfMove)
  }
}

const flowsOfMove = ({ from, to, coins }: CoinMove): readonly Flow[] =>
  coins.flatMap(({ denom, amount }) => [
    ...(from ? [{ account: from.hex, denom, amount: -amount }] : []),
    ...(to ? [{ account: to.hex, denom, amount }] : []),
  ])
