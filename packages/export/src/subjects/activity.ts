import { isAddressOf } from '../isAddressOf.ts'
import { type Row, type Table, toColumns, type Value } from '../table.ts'
import type { ActivityFilter } from './activityPage.ts'
import { activityDocument, activityPageIn, identifyEdge } from './activityPage.ts'
import type { Source } from './subject.ts'
import { type Told, tellWhole, toldFields } from './summary.ts'

interface Place {
  readonly address: string
}

interface Party extends Place {
  readonly hexAddress: string | null
}

/** An amount of an action. */
export interface ActionAmount {
  readonly amount: string
  readonly denom: string
}

/** What a message did. */
export interface Action extends Told {
  readonly kind: string
  readonly summary: string
  readonly messageIndex: number | null
  readonly isSuccessful: boolean
  readonly actor: Party | null
  readonly counterparty: Party | null
  readonly remoteAddress: string | null
  readonly channel: string | null
  readonly packetSequence: string | null
  readonly amounts: readonly ActionAmount[] | null
}

/** What an account lost or gained of an asset. */
export interface Change {
  readonly kind: 'COIN' | 'FEE' | 'NFT' | 'OBJECT' | 'TOKEN'
  readonly amount: string
  readonly formattedAmount: string | null
  /** In US dollars, negative for losses. */
  readonly usdValueAtTime: string | null
  readonly denom: string | null
  readonly tokenId: string | null
  readonly objectAddress: string | null
  readonly messageIndex: number | null
  readonly contract: Place | null
  readonly collection: Place | null
  readonly asset: {
    readonly symbol: string | null
    readonly decimals: number | null
    readonly originChainId: string | null
    readonly originDenom: string | null
    readonly origin: { readonly symbol: string | null } | null
  } | null
}

/** A transaction of an account. */
export interface ActivityEdge {
  readonly chain: { readonly chainId: string }
  readonly node: {
    readonly hash: string
    readonly height: number
    readonly timestamp: string | null
    readonly isSuccessful: boolean | null
    readonly actions: readonly Action[]
    readonly signers?: readonly { readonly account: { readonly hexAddress: string | null } | null }[]
  } | null
  readonly balanceChanges: readonly Change[] | null
}

const edge = `node {
  hash height timestamp isSuccessful
  actions {
    kind summary messageIndex isSuccessful remoteAddress channel packetSequence
    actor { address hexAddress } counterparty { address hexAddress } amounts { amount denom } ${toldFields}
  }
  ... on Transaction { signers { account { hexAddress } } }
}
balanceChanges {
  kind amount formattedAmount usdValueAtTime denom tokenId objectAddress messageIndex
  contract { address } collection { address } asset { symbol decimals originChainId originDenom origin { symbol } }
}`

/** The activity of an account on all chains. */
export const activitySource = (address: string, filter: ActivityFilter): Source<ActivityEdge> => ({
  document: activityDocument('ExportActivity', edge),
  variablesAt: (place) => ({ address, filter, ...place }),
  pageIn: activityPageIn<ActivityEdge>,
  // Without its changes, nothing is known of what it did to the account.
  identify: (of) => (of.balanceChanges === null ? undefined : identifyEdge(of)),
})

/** A row for each loss and gain of an account, in hex, or one for a transaction that changed nothing. */
export const activityTable = (account: string): Table<ActivityEdge> => ({
  columns: toColumns({
    ...{ time: 'time', chain_id: 'code', height: 'integer', hash: 'code', is_successful: 'boolean' },
    ...{ kind: 'code', summary: 'text', change: 'code', symbol: 'text', denom: 'text' },
    ...{ formatted_amount: 'decimal', amount: 'amount', formatted_fee: 'decimal', fee: 'amount' },
    ...{ token_id: 'text', counterparty: 'text', transfer_id: 'text', usd_value_at_time: 'decimal' },
  }),
  rowsOf({ chain, node, balanceChanges }) {
    if (!node || !balanceChanges) return []
    const known = [node.timestamp, chain.chainId, node.height, node.hash, node.isSuccessful]
    const cellsOf = (messageIndex: number | null, change: readonly Value[]) => {
      const of = node.actions.filter((action) => messageIndex === null || action.messageIndex === messageIndex)
      return [
        ...[join(' ', of, ({ kind }) => kind), join('; ', of, tellWhole), ...change],
        join(' ', of, (action) => otherParty(action, account)),
        join(' ', of, (action) => transferIdOf(chain.chainId, action)),
      ]
    }
    const nothing: Row = [...known, ...cellsOf(null, Array<Value>(8).fill(null)), null]
    if (balanceChanges.length === 0) return [nothing]
    return balanceChanges.map((change) => [
      ...known,
      ...cellsOf(change.messageIndex, changeCells(change)),
      change.usdValueAtTime,
    ])
  },
})

/** What actions have, each text once. Null if they have nothing. */
const join = (
  separator: string,
  actions: readonly Action[],
  textOf: (action: Action) => string | null,
): string | null => [...new Set(actions.map(textOf).filter((text) => text !== null))].join(separator) || null

/**
 * The other side of an action, for an account in hex: whom it sent to, or who sent to it. An action with several recipients
 * names none of them. Null for one between others, which the message of an authorization can have beside.
 */
function otherParty({ kind, actor, counterparty, remoteAddress }: Action, account: string): string | null {
  const receiver = counterparty?.address ?? remoteAddress
  if (actor === null || actor.hexAddress === account) return receiver
  // A relayer sent nothing of its own.
  if (kind === 'IBC_RELAY') return null
  const isForOthers = receiver !== null && counterparty?.hexAddress !== account && !isAddressOf(receiver, account)
  return isForOthers ? null : actor.address
}

/** What joins coins that came back to those that left. Null for all else. */
const transferIdOf = (chainId: string, { kind, channel, packetSequence }: Action): string | null =>
  /^BRIDGE_(OUT|REFUND)$/.test(kind) && channel && packetSequence ? `${chainId}/${channel}/${packetSequence}` : null

/** The fee has columns of its own. */
function changeCells(change: Change): readonly Value[] {
  const amounts = [change.formattedAmount, change.amount]
  const none = [null, null]
  return [
    ...[change.kind, change.asset?.symbol ?? null, assetIdOf(change)],
    ...(change.kind === 'FEE' ? [...none, ...amounts] : [...amounts, ...none]),
    change.tokenId,
  ]
}

/** What tells the asset of a change from all others of its chain: its denom, or the address of its contract or object. */
export const assetIdOf = ({ denom, contract, collection, objectAddress }: Change): string | null =>
  denom ?? collection?.address ?? contract?.address ?? objectAddress
