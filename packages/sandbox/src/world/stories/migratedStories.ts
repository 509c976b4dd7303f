import { l2Denom } from '../../router/assets.ts'
import { type CoinMove, moduleAccount, type SandboxCoin } from '../coins.ts'
import { event } from '../events.ts'
import type { Fixtures } from '../fixtures.ts'
import type { Course, CourseLeg } from './course.ts'
import type { StoryMessage } from './lane.ts'
import { everyPeriod } from './moments.ts'
import { channelTo, type HubAndRollup } from './network.ts'
import { cycleMs, distanceMs } from './packetStories.ts'
import { accepted, acknowledgement, arrival, departure, relayed } from './packets.ts'
import { accountOf, arrivedPath, denomOfPath, type Passage, transferOf } from './passage.ts'
import { passageAt } from './passages.ts'

/** A coin of the hub that no longer goes over the OPinit bridges: their messages send packets of IBC in place of it. */
const migratedDenom = 'utide'

/** The stories of the traveller with a migrated coin: a deposit, and a withdrawal that nobody has to claim. */
export function migratedStories({ hub, rollup, bridgeId }: HubAndRollup, begin: number): readonly Course[] {
  const rollupDenom = l2Denom(bridgeId, migratedDenom)
  const traveller = { onHub: hub.fixtures.traveller, onRollup: rollup.fixtures.traveller }

  const deposits = everyPeriod(begin + 18 * distanceMs, cycleMs)
  const depositOf = (number: number): Passage =>
    passageAt(hub, rollup, deposits.timeOf(number), {
      ...{ amount: '2730000', denom: migratedDenom },
      ...{ sender: traveller.onHub.bech32, receiver: traveller.onRollup.bech32 },
      memo: 'forwarded from ophost module',
    })
  const deposit: Course = {
    name: `bridge ${bridgeId}, migrated deposit`,
    moments: deposits,
    legs: [
      {
        on: hub,
        name: 'departure',
        after: 0,
        transactionOf(number) {
          const { sender, receiver, amount } = transferOf(depositOf(number))
          const message: StoryMessage = {
            ...departure(depositOf(number)),
            type: '/opinit.ophost.v1.MsgInitiateTokenDeposit',
            fields: {
              ...{ sender, bridge_id: String(bridgeId), to: receiver },
              amount: { denom: migratedDenom, amount },
              data: '',
            },
          }
          return { signer: traveller.onHub, messages: [message] }
        },
      },
      {
        on: rollup,
        name: 'arrival',
        after: 12_000,
        transactionOf(number) {
          const passage = depositOf(number)
          const { receiver, amount } = transferOf(passage)
          const ibc_denom = denomOfPath(arrivedPath(passage))
          const more = {
            moves: exchangeMoves(rollup.fixtures, receiver, [
              { denom: ibc_denom, amount: BigInt(amount) },
              { denom: rollupDenom, amount: BigInt(amount) },
            ]),
            events: [
              event('handle_migrated_token_deposit', { receiver, ibc_denom, amount: `${amount}${rollupDenom}` }),
            ],
          }
          return relayed(rollup.fixtures, passage.packet, [arrival(passage, { acknowledgement: accepted, more })])
        },
      },
      acknowledgementLeg(hub, depositOf),
    ],
  }

  const withdrawals = everyPeriod(begin + 19 * distanceMs, cycleMs)
  const withdrawalOf = (number: number): Passage =>
    passageAt(rollup, hub, withdrawals.timeOf(number), {
      ...{ amount: '2640000', denom: `transfer/${channelTo(rollup.chain, hub.chain)}/${migratedDenom}` },
      ...{ sender: traveller.onRollup.bech32, receiver: traveller.onHub.bech32 },
      memo: 'forwarded from opchild module',
    })
  const withdrawal: Course = {
    name: `bridge ${bridgeId}, migrated withdrawal`,
    moments: withdrawals,
    legs: [
      {
        on: rollup,
        name: 'departure',
        after: 0,
        transactionOf(number) {
          const { sender, receiver, amount, denom } = transferOf(withdrawalOf(number))
          const sent = departure(withdrawalOf(number))
          const exchanged = exchangeMoves(rollup.fixtures, sender, [
            { denom: rollupDenom, amount: BigInt(amount) },
            { denom: denomOfPath(denom), amount: BigInt(amount) },
          ])
          const message: StoryMessage = {
            ...sent,
            type: '/opinit.opchild.v1.MsgInitiateTokenWithdrawal',
            fields: { sender, to: receiver, amount: { denom: rollupDenom, amount } },
            moves: [...exchanged, ...sent.moves],
          }
          return { signer: traveller.onRollup, messages: [message] }
        },
      },
      {
        on: hub,
        name: 'arrival',
        after: 12_000,
        transactionOf(number) {
          const passage = withdrawalOf(number)
          return relayed(hub.fixtures, passage.packet, [arrival(passage, { acknowledgement: accepted })])
        },
      },
      acknowledgementLeg(rollup, withdrawalOf),
    ],
  }
  return [deposit, withdrawal]
}

/** What a rollup moves when it takes a coin of an account and makes another one for it. */
function exchangeMoves(
  rollup: Fixtures,
  bech32: string,
  [taken, made]: readonly [SandboxCoin, SandboxCoin],
): readonly CoinMove[] {
  const account = accountOf(rollup, bech32)
  const module = moduleAccount(rollup, 'opchild')
  return [
    { from: account, to: module, coins: [taken] },
    { from: module, coins: [taken] },
    { to: module, coins: [made] },
    { from: module, to: account, coins: [made] },
  ]
}

const acknowledgementLeg = (on: CourseLeg['on'], passageOf: (number: number) => Passage): CourseLeg => ({
  on,
  name: 'acknowledgement',
  after: 24_000,
  transactionOf(number) {
    const passage = passageOf(number)
    return relayed(on.fixtures, passage.packet, [acknowledgement(passage, accepted)])
  },
})
