import { bytesOf } from '#words/addresses/bytes'
import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { ChainAccount, chainAccountShape } from '../../account/chainAccount.ts'
import { AssetAmount } from '../../amount/assetAmount.ts'
import { chainOf } from '../../chain/knownChain.ts'
import { IndexedTransaction } from '../../indexer/indexedTransaction.ts'
import { isWithdrawal } from '../../indexer/transaction/bridgeSteps.ts'
import { shownTransaction } from '../../indexer/transaction/transaction.ts'
import { Bridge } from '../../router/bridges/bridge.ts'
import { ifSent, optionalChainField } from '../../router/routerFields.ts'
import type { BridgeTransferShape, LegShape, TransactionReference } from '../joined/bridgeTransferShape.ts'
import { loadFromChain } from '../joined/loadFromChain.ts'
import { BridgeTransferState } from '../recorded/bridgeTransferState.ts'
import { type ClaimShape, claimableAt, isClaimable } from '../recorded/claim.ts'
import { routerHash } from '../reported/txHash.ts'
import { Transfer } from './transfer.ts'

const BridgeTransferLeg = builder.objectRef<LegShape>('BridgeTransferLeg').implement({
  description: 'One end of a bridge transfer: what happened on one chain.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    chainId: ifSent(t, 'ChainId', 'Chain ID.', ({ chainId }) => chainId),
    chain: optionalChainField(t, 'The chain', ({ chainId }) => chainId),
    address: t.ifKnown(
      'Address',
      'The account there, as the transaction on the source chain writes it. Null on a chain that passed it on.',
      ({ address }) => address,
    ),
    account: t.ifKnown(ChainAccount, 'The account there.', ({ chainId, address }, _args, context) =>
      chainId === null || address === null || bytesOf(address) === null
        ? null
        : chainAccountShape(chainOf(context, chainId), address),
    ),
    hash: t.nullable(
      'String',
      'Hash of the transaction. Null if it is not found, or does not exist.',
      async ({ chainId, place }) => {
        const hash = (await place())?.hash ?? null
        return chainId !== null && hash !== null ? routerHash(chainId, hash) : hash
      },
    ),
    timestamp: t.nullable(
      'DateTime',
      'Time of its block. Null if it is not found, or does not exist.',
      async ({ place }) => (await place())?.timestamp,
    ),
    transaction: t.field({
      type: IndexedTransaction,
      nullable: true,
      description: 'The transaction. Null if it is not indexed.',
      complexity: 2 * callCost,
      resolve: async ({ chainId, place }, _args, context, info) => {
        const { hash = null, isReported } = (await place()) ?? {}
        const chain = context.network.chains.get(chainId ?? '')
        return chain && hash !== null && !isReported
          ? shownTransaction(context, chain, hash, info)
          : loadFromChain(context, chainId, hash)
      },
    }),
  }),
})

const WithdrawalClaim = builder.objectRef<ClaimShape>('WithdrawalClaim').implement({
  description:
    'The wait of a withdrawal over OPinit for its claim on the hub: for an output of the rollup that has it, and then for the finalization period of the bridge. Anybody can claim it; it goes to its receiver.',
  fields: (t) => ({
    outputIndex: t.nullable(
      'String',
      'Number of the first output that has it. Null if the hub has none yet, or none was found.',
      ({ output }) => output?.index,
    ),
    outputAt: t.nullable(
      'DateTime',
      'When the hub got that output. Null without it.',
      ({ output }) => output?.timestamp,
    ),
    finalizationSeconds: t.ifKnown(
      'UInt53',
      'The finalization period of the bridge. Its usual value is seven days, by the documentation; each bridge sets its own.',
      ({ finalizationSeconds }) => finalizationSeconds,
    ),
    claimableAt: t.nullable(
      'DateTime',
      'When it can be claimed. Null if unknown. The time can move until it has come: an output can be deleted.',
      (claim) => {
        const time = claimableAt(claim)
        return time === null ? null : new Date(time).toISOString()
      },
    ),
    isClaimable: t.nullable(
      'Boolean',
      'Whether it can be claimed now: that time has come, and nobody has claimed it. Null if that time is unknown, or records that were not read can have its claim.',
      (claim, _args, { scope }) => isClaimable(claim, scope.date()),
    ),
  }),
})

/** The requests for the other end, as they are priced. The most are ten, for one that is long ago. */
export const searchCost = 3 * callCost

const other = 'Costs up to ten upstream requests, once.'

/** Seconds between two transactions. Null if one of them is not found. */
export function secondsBetween(
  from: TransactionReference | null | undefined,
  to: TransactionReference | null | undefined,
): number | null {
  if (!from?.timestamp || !to?.timestamp) return null
  return Math.max(0, Math.round((Date.parse(to.timestamp) - Date.parse(from.timestamp)) / 1_000))
}

export const BridgeTransfer = builder.objectRef<BridgeTransferShape>('BridgeTransfer')

BridgeTransfer.implement({
  description:
    'A movement of coins between two chains over one bridge. Its ends are joined by the numbers that both chains give it, never by amount and time.',
  fields: (t) => ({
    bridge: t.value(Bridge, 'The bridge.', ({ bridge }) => bridge),
    state: t.field({
      type: BridgeTransferState,
      description: `Its state by the records of both chains, or else by the router. ${other}`,
      complexity: searchCost,
      resolve: (transfer) => transfer.state(),
    }),
    isProven: t.field({
      type: 'Boolean',
      description: `Whether the records of the chains prove its state. Else it is the word of the router, or unknown. ${other}`,
      complexity: searchCost,
      resolve: async (transfer) => (await transfer.proven()) !== null,
    }),
    isSearchComplete: t.field({
      type: 'Boolean',
      description:
        'False if records from the time of its ends were not read: there were too many, or an indexer failed. An end that is missing may then exist. The next query can read more.',
      complexity: searchCost,
      resolve: (transfer) => transfer.isSearchComplete(),
    }),
    departure: t.field({
      type: BridgeTransferLeg,
      description: `The end on the source chain: who sent what, and when. ${other}`,
      complexity: searchCost,
      resolve: (transfer) => transfer.departure(),
    }),
    arrival: t.field({
      type: BridgeTransferLeg,
      description: `The end on the destination chain. Its amount is what the account got, null if unproven; until it arrives, what was sent. ${other}`,
      complexity: searchCost,
      resolve: (transfer) => transfer.arrival(),
    }),
    refund: t.field({
      type: BridgeTransferLeg,
      nullable: true,
      description: `How it came back to the sender, with what the account got. Null if nothing shows that it did. ${other}`,
      complexity: searchCost,
      resolve: (transfer) => transfer.refund(),
    }),
    onward: t.field({
      type: BridgeTransfer,
      nullable: true,
      description: `The movement that passed it on to another chain, or sent it again. Null if there is none, or it is not found. ${other}`,
      complexity: searchCost,
      resolve: (transfer) => transfer.onward(),
    }),
    durationSeconds: t.field({
      type: 'UInt53',
      nullable: true,
      description: 'Seconds from its departure to what the destination chain did. Null if one of the two is not found.',
      complexity: searchCost,
      resolve: async (transfer) => {
        const [departure, arrival] = await Promise.all([transfer.departure(), transfer.arrival()])
        return secondsBetween(await departure.place(), await arrival.place())
      },
    }),
    reason: t.field({
      type: 'String',
      nullable: true,
      description:
        'Why it was refused, or why the step after its arrival failed, as the chain says. Null if nothing did.',
      complexity: searchCost,
      resolve: (transfer) => transfer.reason(),
    }),
    timeoutAt: t.nullable(
      'DateTime',
      'The end of its time limit: then it can only come back. Null without a limit in time, or if unknown.',
      ({ timeout }) => (timeout === null ? null : toDateTime(timeout)),
    ),
    sourceChannel: t.nullable(
      'String',
      'IBC channel of the source chain. By IBC v2, its light client. Null for other bridges.',
      ({ route }) => (route && 'source' in route ? route.source : null),
    ),
    destinationChannel: t.nullable(
      'String',
      'IBC channel or light client of the destination chain. Null for other bridges.',
      ({ route }) => (route && 'source' in route ? route.destination : null),
    ),
    opInitBridgeId: t.ifKnown('String', "Id of the rollup's bridge on the hub.", ({ route }) =>
      route && 'bridgeId' in route ? route.bridgeId : null,
    ),
    sequence: t.nullable(
      'UInt53',
      'Number of the IBC packet, the deposit or the withdrawal. Null for other bridges.',
      ({ route }) => (route && /^\d{1,20}$/.test(route.sequence) ? BigInt(route.sequence) : null),
    ),
    isWithdrawal: t.value(
      'Boolean',
      'Whether it has to be claimed on the hub, as a withdrawal over OPinit.',
      ({ route }) => isWithdrawal(route),
    ),
    claim: t.field({
      type: WithdrawalClaim,
      nullable: true,
      description: `The claim of a withdrawal, or of a refused deposit, which comes back as one. Null for others, and if its start is not found. ${other}`,
      complexity: 2 * searchCost,
      resolve: (transfer) => transfer.claim(),
    }),
    transfer: t.field({
      type: Transfer,
      nullable: true,
      description: "The router's transfer that began with its departure. Null if the router does not know it.",
      complexity: callCost,
      resolve: (transfer) => transfer.transfer(),
    }),
  }),
})

/** The last date that the graph can write, in milliseconds since 1970. */
const lastDate = 253_402_300_799_999n

const toDateTime = (nanoseconds: bigint): string | null => {
  const milliseconds = nanoseconds / 1_000_000n
  return milliseconds > lastDate ? null : new Date(Number(milliseconds)).toISOString()
}
