import type { Action, ActionNft } from '#words/action'
import type { ExecutedTransaction } from '#words/balance-changes'
import { actionKinds, titleOf } from '#words/kinds'
import { builder } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { ChainAccount, chainAccountOf } from '../../account/chainAccount.ts'

/** An action of a transaction of a chain. */
export interface ActionShape {
  readonly chain: ServedChain
  readonly action: Action
  /** Its transaction, whose events name the contracts of its amounts: one object for all its actions. */
  readonly transaction: Pick<ExecutedTransaction, 'vm' | 'events'>
}

interface NftShape extends Pick<ActionShape, 'chain'> {
  readonly nft: ActionNft
}

const TransactionActionKind = builder.enumType('TransactionActionKind', {
  description: 'What an action is.',
  values: actionKinds,
})

const NftOfAction = builder.objectRef<NftShape>('ActionNft').implement({
  description: 'An NFT of an action.',
  fields: (t) => ({
    collection: t.field({
      type: ChainAccount,
      nullable: true,
      description: 'The collection. Null if omitted, or on another chain.',
      resolve: ({ chain, nft }) => chainAccountOf(chain, isAddress(nft) ? nft.collection : null),
    }),
    rawCollection: t.string({
      nullable: true,
      description: "The collection's address, or its class across a bridge. Null if omitted.",
      resolve: ({ nft }) => nft.collection,
    }),
    tokenId: t.string({
      nullable: true,
      description: 'Token id within the collection. Null if omitted.',
      resolve: ({ nft }) => nft.tokenId,
    }),
    objectAddress: t.field({
      type: 'Address',
      nullable: true,
      description: 'Address of the object on a Move chain. Null on other chains.',
      resolve: ({ nft }) => nft.objectAddress,
    }),
    quantity: t.field({
      type: 'BigInt',
      description: 'Number of tokens: 1 but for EIP-1155.',
      resolve: ({ nft }) => nft.quantity ?? 1n,
    }),
  }),
})

/** Whether the collection is an address. The class of an NFT that crosses a bridge is a path or a name. */
const isAddress = ({ collection }: ActionNft): boolean =>
  collection !== null && /^(0x[0-9a-f]+|[a-z]+1[02-9ac-hj-np-z]{38,})$/i.test(collection)

/** The router's part adds the amounts and the summary, which need its list of assets. */
export const TransactionAction = builder.objectRef<ActionShape>('TransactionAction').implement({
  description: 'An action of a message. Parts that do not apply or are omitted are null.',
  fields: (t) => ({
    kind: t.field({
      type: TransactionActionKind,
      description: 'The kind. `UNKNOWN` for a message that the graph cannot describe.',
      resolve: ({ action }) => action.kind,
    }),
    rawKind: t.string({
      nullable: true,
      description: 'Type URL of its message. Null if only an EVM receipt is known.',
      resolve: ({ action }) => action.messageType,
    }),
    title: t.string({
      description: 'The kind in two or three words, such as `Token swap` or `Failed token swap`.',
      resolve: ({ action }) => titleOf(action),
    }),
    isSuccessful: t.boolean({
      description:
        'Whether it had effect. False for a refused packet or deposit too. A deposit whose call failed has arrived.',
      resolve: ({ action }) => action.isSuccessful,
    }),
    messageIndex: t.field({
      type: 'UInt53',
      nullable: true,
      description: 'Index of its message, the first one for `IBC_RELAY`.',
      resolve: ({ action }) => action.messageIndex,
    }),
    actor: t.field({
      type: ChainAccount,
      nullable: true,
      description:
        'Whose action it is: the sender, who gave the authorization, or the recipient over a bridge or of a refund.',
      resolve: ({ chain, action }) => chainAccountOf(chain, action.actor ?? null),
    }),
    executor: t.field({
      type: ChainAccount,
      nullable: true,
      description: 'The account that acted for the actor, by an authorization or an allowance.',
      resolve: ({ chain, action }) => chainAccountOf(chain, action.executor ?? null),
    }),
    counterparty: t.field({
      type: ChainAccount,
      nullable: true,
      description: 'The other account on this chain: a recipient, a spender or a grantee.',
      resolve: ({ chain, action }) => chainAccountOf(chain, action.counterparty ?? null),
    }),
    validatorAddress: t.field({
      type: 'Address',
      nullable: true,
      description: 'Operator address of the validator: of a redelegation, the new one.',
      resolve: ({ action }) => action.validator ?? null,
    }),
  }),
})

/** The parts that only some kinds have. */
builder.objectFields(TransactionAction, (t) => ({
  nfts: t.field({
    type: [NftOfAction],
    nullable: true,
    description: 'The NFTs, or the object of `OBJECT_TRANSFER`.',
    resolve: ({ chain, action }) => (action.nfts ?? []).map((nft) => ({ chain, nft })),
  }),
  contract: t.field({
    type: ChainAccount,
    nullable: true,
    description: 'The contract or Move module that was called or created.',
    resolve: ({ chain, action }) => chainAccountOf(chain, action.contract ?? null),
  }),
  function: t.string({
    nullable: true,
    description:
      'The function: `0x1::dex::swap_script`, the key of a Wasm message, a selector such as `0xa9059cbb`, or a standard signature.',
    resolve: ({ action }) => action.function ?? null,
  }),
  remoteAddress: t.field({
    type: 'Address',
    nullable: true,
    description: 'The party on the other chain of a bridge, as the message writes it.',
    resolve: ({ action }) => action.remote?.address ?? null,
  }),
  channel: t.string({
    nullable: true,
    description: 'IBC channel of this chain that leads to the other chain. By IBC v2, its light client.',
    resolve: ({ action }) => action.remote?.channel ?? null,
  }),
  packetSequence: t.string({
    nullable: true,
    description: 'Sequence of the IBC packet. With `channel` it joins a `BRIDGE_REFUND` to its `BRIDGE_OUT`.',
    resolve: ({ action }) => action.remote?.packetSequence ?? null,
  }),
  opInitBridgeId: t.string({
    nullable: true,
    description: "Id of the rollup's bridge on the hub.",
    resolve: ({ action }) => action.remote?.opInitBridgeId ?? null,
  }),
  proposalId: t.string({
    nullable: true,
    description: 'Id of the proposal. Null for a proposal of a group.',
    resolve: ({ action }) => action.proposalId ?? null,
  }),
}))
