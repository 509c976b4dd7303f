import type { Action, ActionNft } from '#words/actions/action'
import { actionKinds, titleOf } from '#words/actions/kinds'
import type { ExecutedTransaction } from '#words/balanceChanges/balanceChanges'
import { builder } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { ChainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import type { TransactionRecord } from '../transaction/wire.ts'

/** An action of a transaction of a chain. */
export interface ActionShape {
  readonly chain: ServedChain
  readonly action: Action
  /** Its transaction, whose events name the contracts of its amounts: one object for all its actions. */
  readonly transaction: Pick<ExecutedTransaction, 'vm' | 'events'>
  /** Its record. Undefined for one that is known by its EVM receipt alone. */
  readonly record?: TransactionRecord
}

interface NftShape extends Pick<ActionShape, 'chain'> {
  readonly nft: ActionNft
}

const TransactionActionKind = builder.enumType('TransactionActionKind', {
  description: 'What an action is.',
  values: actionKinds,
})

/** An NFT that an action names. */
export const NftOfAction = builder.objectRef<NftShape>('ActionNft').implement({
  description: 'An NFT of an action.',
  fields: (t) => ({
    collection: t.nullable(ChainAccount, 'The collection. Null if omitted, or on another chain.', ({ chain, nft }) =>
      chainAccountOf(chain, isAddress(nft) ? nft.collection : null),
    ),
    rawCollection: t.nullable(
      'String',
      "The collection's address, or its class across a bridge. Null if omitted.",
      ({ nft }) => nft.collection,
    ),
    tokenId: t.nullable('String', 'Token id within the collection. Null if omitted.', ({ nft }) => nft.tokenId),
    objectAddress: t.nullable(
      'Address',
      'Address of the object on a Move chain. Null on other chains.',
      ({ nft }) => nft.objectAddress,
    ),
    quantity: t.value('BigInt', 'Number of tokens: 1 but for EIP-1155.', ({ nft }) => nft.quantity ?? 1n),
  }),
})

/** Whether the collection is an address of this chain. The class of an NFT that crosses a bridge is a path or a name. */
const isAddress = ({ collection, isRemote }: ActionNft): boolean =>
  collection !== null && !isRemote && /^(0x[0-9a-f]+|[a-z]+1[02-9ac-hj-np-z]{38,})$/i.test(collection)

/** The router's part adds the amounts and the summary, which need its list of assets. */
export const TransactionAction = builder.objectRef<ActionShape>('TransactionAction').implement({
  description: 'An action of a message. Parts that do not apply or are omitted are null.',
  fields: (t) => ({
    kind: t.value(
      TransactionActionKind,
      'The kind. `UNKNOWN` for a message that the graph cannot describe.',
      ({ action }) => action.kind,
    ),
    rawKind: t.nullable(
      'String',
      'Type URL of its message. Null if only an EVM receipt is known.',
      ({ action }) => action.messageType,
    ),
    title: t.value(
      'String',
      'The kind in two or three words, such as `Token swap` or `Failed token swap`.',
      ({ action }) => titleOf(action),
    ),
    isSuccessful: t.value(
      'Boolean',
      'Whether it had effect. False for a refused packet or deposit too. A deposit whose call failed has arrived.',
      ({ action }) => action.isSuccessful,
    ),
    messageIndex: t.nullable(
      'UInt53',
      'Index of its message, the first one for `IBC_RELAY`.',
      ({ action }) => action.messageIndex,
    ),
    actor: t.nullable(
      ChainAccount,
      'Whose action it is: the sender, who gave the authorization, or the recipient over a bridge or of a refund.',
      ({ chain, action }) => chainAccountOf(chain, action.actor ?? null),
    ),
    executor: t.nullable(
      ChainAccount,
      'The account that acted for the actor, by an authorization or an allowance.',
      ({ chain, action }) => chainAccountOf(chain, action.executor ?? null),
    ),
    counterparty: t.nullable(
      ChainAccount,
      'The other account on this chain: a recipient, a spender or a grantee.',
      ({ chain, action }) => chainAccountOf(chain, action.counterparty ?? null),
    ),
    validatorAddress: t.nullable(
      'Address',
      'Operator address of the validator: of a redelegation, the new one.',
      ({ action }) => action.validator ?? null,
    ),
  }),
})

/** The parts that only some kinds have. */
builder.objectFields(TransactionAction, (t) => ({
  nfts: t.nullable([NftOfAction], 'The NFTs, or the object of `OBJECT_TRANSFER`.', ({ chain, action }) =>
    (action.nfts ?? []).map((nft) => ({ chain, nft })),
  ),
  contract: t.nullable(ChainAccount, 'The contract or Move module that was called or created.', ({ chain, action }) =>
    chainAccountOf(chain, action.contract ?? null),
  ),
  function: t.nullable(
    'String',
    'The function: `0x1::dex::swap_script`, the key of a Wasm message, a selector such as `0xa9059cbb`, or a standard signature.',
    ({ action }) => action.function ?? null,
  ),
  remoteAddress: t.nullable(
    'Address',
    'The party on the other chain of a bridge, as the message writes it.',
    ({ action }) => action.remote?.address ?? null,
  ),
  channel: t.nullable(
    'String',
    'IBC channel of this chain that leads to the other chain. By IBC v2, its light client.',
    ({ action }) => action.remote?.channel ?? null,
  ),
  packetSequence: t.nullable(
    'String',
    'Sequence of the IBC packet. With `channel` it joins a `BRIDGE_REFUND` to its `BRIDGE_OUT`.',
    ({ action }) => action.remote?.packetSequence ?? null,
  ),
  opInitBridgeId: t.nullable(
    'String',
    "Id of the rollup's bridge on the hub.",
    ({ action }) => action.remote?.opInitBridgeId ?? null,
  ),
  proposalId: t.nullable(
    'String',
    'Id of the proposal. Null for a proposal of a group.',
    ({ action }) => action.proposalId ?? null,
  ),
}))
