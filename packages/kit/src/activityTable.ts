import { type DescribedAction, tellWhole } from './summary.ts'
import { type Row, toColumns, type Value } from './table.ts'

/** A row for each loss and gain of an account, or one for a transaction that changed nothing. */
export const activityColumns = toColumns({
  ...{ time: 'time', chain_id: 'code', height: 'integer', hash: 'code', is_successful: 'boolean' },
  ...{ kind: 'code', summary: 'text', change: 'code', symbol: 'text', denom: 'text' },
  ...{ formatted_amount: 'decimal', amount: 'amount', formatted_fee: 'decimal', fee: 'amount' },
  ...{ token_id: 'text', counterparty: 'text', transfer_id: 'text', usd_value_at_time: 'decimal' },
})

interface Place {
  readonly address: string
}

interface Party extends Place {
  readonly hexAddress: string | null
}

/** What a message did, as far as a row has it. */
export interface RowAction extends DescribedAction {
  readonly kind: string
  readonly messageIndex: number | null
  readonly actor: Party | null
  readonly counterparty: Party | null
  readonly remoteAddress: string | null
  readonly channel: string | null
  readonly packetSequence: string | null
}

/** What an account lost or gained of an asset, as far as a row has it. */
export interface RowChange {
  readonly kind: string
  readonly amount: string | null
  readonly formattedAmount: string | null
  /** In US dollars, negative for losses. */
  readonly usdValueAtTime: string | null
  readonly denom: string | null
  readonly tokenId: string | null
  readonly objectAddress: string | null
  readonly messageIndex: number | null
  readonly contract: Place | null
  readonly collection: Place | null
  readonly asset: { readonly symbol: string | null } | null
}

/** A transaction of an account, as far as its rows have it. */
export interface RowEdge {
  readonly chain: { readonly chainId: string }
  readonly node: {
    readonly hash: string
    readonly height: number
    readonly timestamp: string | null
    readonly isSuccessful: boolean | null
    readonly actions: readonly RowAction[] | null
  } | null
  /** Null if they could not be read. */
  readonly balanceChanges: readonly RowChange[] | null
}

/** An account in hex, and whether an address in any spelling is its own. */
export interface Owner {
  readonly hexAddress: string
  isOwn(address: string): boolean
}

/** The rows of a transaction. Empty for one that could not be read. */
export function activityRows({ chain, node, balanceChanges }: RowEdge, owner: Owner): readonly Row[] {
  if (!node) return []
  const known = [node.timestamp, chain.chainId, node.height, node.hash, node.isSuccessful]
  const actions = node.actions ?? []
  const rowOf = (messageIndex: number | null, change: readonly Value[], worth: string | null): Row => {
    const of = actions.filter((action) => messageIndex === null || action.messageIndex === messageIndex)
    return [
      ...[...known, join(' ', of, ({ kind }) => kind), join('; ', of, tellWhole), ...change],
      join(' ', of, (action) => otherParty(action, owner)),
      join(' ', of, (action) => transferIdOf(chain.chainId, action)),
      worth,
    ]
  }
  if (!balanceChanges?.length) return [rowOf(null, Array<Value>(8).fill(null), null)]
  return balanceChanges.map((change) => rowOf(change.messageIndex, changeCells(change), change.usdValueAtTime))
}

/** What actions have, each text once. Null if they have nothing. */
const join = (
  separator: string,
  actions: readonly RowAction[],
  textOf: (action: RowAction) => string | null,
): string | null => [...new Set(actions.map(textOf).filter((text) => text !== null))].join(separator) || null

/**
 * The other side of an action: whom the account sent to, or who sent to it. An action with several recipients names none of
 * them. Null for one between others, which the message of an authorization can have beside.
 */
function otherParty({ kind, actor, counterparty, remoteAddress }: RowAction, owner: Owner): string | null {
  const receiver = counterparty?.address ?? remoteAddress
  if (actor === null || actor.hexAddress === owner.hexAddress) return receiver
  // A relayer sent nothing of its own.
  if (kind === 'IBC_RELAY') return null
  const isForOthers = receiver !== null && counterparty?.hexAddress !== owner.hexAddress && !owner.isOwn(receiver)
  return isForOthers ? null : actor.address
}

/** What joins coins that came back to those that left. Null for all else. */
const transferIdOf = (chainId: string, { kind, channel, packetSequence }: RowAction): string | null =>
  /^BRIDGE_(OUT|REFUND)$/.test(kind) && channel && packetSequence ? `${chainId}/${channel}/${packetSequence}` : null

/** The fee has columns of its own. */
function changeCells(change: RowChange): readonly Value[] {
  const amounts = [change.formattedAmount, change.amount]
  const none = [null, null]
  return [
    ...[change.kind, change.asset?.symbol ?? null, assetIdOf(change)],
    ...(change.kind === 'FEE' ? [...none, ...amounts] : [...amounts, ...none]),
    change.tokenId,
  ]
}

/** What tells the asset of a change from all others of its chain: its denom, or the address of its contract or object. */
export const assetIdOf = ({
  denom,
  contract,
  collection,
  objectAddress,
}: Pick<RowChange, 'denom' | 'contract' | 'collection' | 'objectAddress'>): string | null =>
  denom ?? collection?.address ?? contract?.address ?? objectAddress
