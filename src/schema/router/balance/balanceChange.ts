import { balanceChanges } from '#words/balanceChanges/balanceChanges'
import type { BalanceChange as Change } from '#words/balanceChanges/change'
import type { KnownDenoms } from '#words/balanceChanges/denoms'
import { builder, type Context } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { UnreadableRecord } from '../../../engine/wire/decode.ts'
import { checkAddress } from '../../account/address.ts'
import { ChainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { type AmountShape, AssetAmount } from '../../amount/assetAmount.ts'
import { AccountActivityEdge } from '../../indexer/accounts/activity.ts'
import { ActivityEvent, transactionOf } from '../../indexer/live/activity.ts'
import { collectionOfEvent, NftCollection } from '../../indexer/nft/nftCollection.ts'
import { readRecord } from '../../indexer/readRecord.ts'
import { Transaction } from '../../indexer/transaction/transaction.ts'
import { allEventsOf, type TransactionRecord } from '../../indexer/transaction/wire.ts'
import { loadedAssets } from '../catalog.ts'

/** The graph's value for a loss or gain. */
export interface ChangeShape extends Change, AmountShape {
  /** The transaction that made it. */
  readonly record: TransactionRecord
  readonly chain: ServedChain
  readonly chainId: string
  readonly denom: Change['denom']
  readonly amount: bigint
}

const BalanceChangeKind = builder.enumType('BalanceChangeKind', {
  description: 'Kind of an asset that changed.',
  values: {
    COIN: { description: 'Coins of the bank module.' },
    TOKEN: { description: 'ERC-20, CW-20 or Move tokens, as their contract reports.' },
    NFT: { description: 'A token of a collection.' },
    OBJECT: { description: 'A Move object, perhaps an NFT.' },
    FEE: { description: 'The fee, also of a failed transaction. Positive for who collects it.' },
  },
})

/** The amounts that an account lost or gained by a transaction. */
export const BalanceChange = builder.objectRef<ChangeShape>('BalanceChange').implement({
  description: 'A loss or gain of an account.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    account: t.ifKnown(ChainAccount, 'Whose it is.', ({ chain, account }) => chainAccountOf(chain, account)),
    isOwnerKnown: t.value(
      'Boolean',
      'Whether events prove the owner. If false with an account, that moved an NFT, perhaps for its owner.',
      ({ isOwnerKnown }) => isOwnerKnown,
    ),
    kind: t.value(BalanceChangeKind, 'Kind of asset, or the fee.', ({ kind }) => kind),
    denom: t.nullable(
      'Denom',
      'Base denom, or a CW-20 contract. Null for NFTs and objects, and if neither an event of the transaction nor the list of assets names it: see `contract`.',
      ({ denom }) => denom,
    ),
    amount: t.nullable(
      'BigInt',
      'Amount in base units, negative for losses. -1 or 1 for an NFT.',
      ({ amount }) => amount,
    ),
    contract: t.nullable(
      ChainAccount,
      'ERC-20 or CW-20 contract, or Move metadata. Null if none, and for NFTs.',
      ({ chain, kind, contract }) => (kind === 'NFT' ? null : chainAccountOf(chain, contract)),
    ),
    collection: t.nullable(
      NftCollection,
      'Collection of an NFT. Null if none or omitted.',
      ({ chain, kind, contract }) => (kind === 'NFT' && contract ? collectionOfEvent(chain, contract) : null),
    ),
    tokenId: t.nullable('String', 'Token id of an NFT. Null if none or omitted.', ({ tokenId }) => tokenId),
    objectAddress: t.nullable('Address', 'Move object, also of an NFT. Null for others.', ({ object }) => object),
    messageIndex: t.nullable(
      'UInt53',
      'Index in `messages`. Null for a fee or several messages.',
      ({ messageIndex }) => messageIndex,
    ),
  }),
})

/** The listed denoms of a chain. Null without a router, and if its list cannot be loaded now. */
async function loadDenoms(context: Context, chainId: string): Promise<KnownDenoms | null> {
  if (!context.network.router) return null
  try {
    return (await loadedAssets(context, chainId)).known
  } catch {
    return null
  }
}

/** What a transaction, or each of its messages, made accounts lose and gain: one, by its address in any spelling, or all. */
export async function loadChanges(
  context: Context,
  chain: ServedChain,
  record: TransactionRecord,
  { account, isByMessage }: { readonly account?: string | undefined; readonly isByMessage?: boolean },
): Promise<ChangeShape[]> {
  const known = await loadDenoms(context, chain.chainId)
  const transaction = { vm: chain.vm, code: record.code, events: allEventsOf(chain, record) }
  const options = { account, known, isByMessage }
  const changes = await readRecord(context, 'balanceChanges', balanceChanges(transaction, options))
  const { chainId } = chain
  // V8 adds a property after a spread far more slowly than before it.
  return changes.map((change) => ({
    chain,
    chainId,
    record,
    ...change,
    denom: change.denom ?? cw20Of(change),
  }))
}

/** The contract of a CW-20 token, which stands for a denom. Only those have contracts in bech32. */
const cw20Of = ({ kind, contract }: Change): string | null =>
  kind === 'TOKEN' && contract !== null && !contract.startsWith('0x') ? contract : null

const readingCost = 2
/** Typical balance changes of a transaction, for its cost: of all accounts, and of one. */
const [usualChanges, usualOfOne] = [6, 3]

const order = 'Summed by account and asset.'

const byMessage = {
  type: 'Boolean',
  required: true,
  defaultValue: false,
  description: 'Sum within each message only, also inside authz.',
} as const

builder.objectField(Transaction, 'balanceChanges', (t) =>
  t.field({
    type: [BalanceChange],
    nullable: true,
    description: `Losses and gains of accounts. ${order} A failed transaction has only its fee. Null, with an error, for an invalid \`address\`.`,
    args: {
      address: t.arg({
        type: 'Address',
        description: 'Only of this account: bech32 with any prefix, or hex with 0x. All by default.',
      }),
      byMessage: t.arg(byMessage),
    },
    complexity: ({ address }) => ({
      field: readingCost,
      multiplier: address == null ? usualChanges : usualOfOne,
    }),
    resolve: ({ chain, record }, { address, byMessage: isByMessage }, context) =>
      loadChanges(context, chain, record, {
        account: address == null ? undefined : checkAddress(chain, address),
        isByMessage,
      }),
  }),
)

const ofAccount = {
  type: [BalanceChange] as [typeof BalanceChange],
  nullable: true,
  complexity: { field: readingCost, multiplier: usualOfOne },
} as const

builder.objectField(AccountActivityEdge, 'balanceChanges', (t) =>
  t.field({
    ...ofAccount,
    description: `Losses and gains of the account. ${order} Null if the transaction cannot be read.`,
    args: { byMessage: t.arg(byMessage) },
    resolve: ({ chain, account, merged: { item } }, { byMessage: isByMessage }, context) =>
      item instanceof UnreadableRecord ? null : loadChanges(context, chain, item, { account, isByMessage }),
  }),
)

builder.objectField(ActivityEvent, 'balanceChanges', (t) =>
  t.field({
    ...ofAccount,
    description: `Losses and gains of the account. ${order} Null for a notice.`,
    args: { byMessage: t.arg(byMessage) },
    resolve: (activity, { byMessage: isByMessage }, context) => {
      const record = transactionOf(activity)
      return record && loadChanges(context, activity.chain, record, { account: activity.account, isByMessage })
    },
  }),
)
