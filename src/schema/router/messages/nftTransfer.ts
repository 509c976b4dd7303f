import { z } from 'zod'
import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { routerAddress } from '../addressInput.ts'
import { withExtra } from '../extra.ts'
import { postToRouter } from '../routerClient.ts'
import { isExact } from './unsignedMessage.ts'

/** Most tokens in one transfer, as the router has it. */
const maxTokens = 30

// Some routers name a Protobuf type, others the amino type of a message.
const message = z
  .object({
    typeUrl: z.string().optional(),
    type: z.string().optional(),
    value: z.unknown().refine(isExact),
  })
  .refine(({ typeUrl, type }) => typeUrl !== undefined || type !== undefined, 'no type')
const messages = z.object({ msgs: z.array(message) })

const NftClassTraceInput = builder.inputType('NftClassTraceInput', {
  description: 'The path of a collection from its chain of origin.',
  fields: (t) => ({
    path: t.string({ required: true, description: 'Ports and channels, joined by slashes.' }),
    baseClassId: t.string({ required: true, description: 'Class on the chain of origin.' }),
  }),
})

const NftTransferInput = builder.inputType('NftTransferInput', {
  description: 'NFTs of one collection to send to an address, on the same or another chain.',
  fields: (t) => ({
    sourceChainId: t.field({
      type: 'ChainId',
      required: true,
      description: 'The chain that the NFTs are on.',
    }),
    sourceAddress: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the sender on it.',
    }),
    destinationChainId: t.field({
      type: 'ChainId',
      required: true,
      description: 'The chain to send them to.',
    }),
    destinationAddress: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the recipient on it.',
    }),
    collectionAddress: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the collection.',
    }),
    tokenIds: t.stringList({ required: true, description: 'Ids of 1 to 30 NFTs.' }),
    objectAddresses: t.field({
      type: ['Address'],
      description: 'Addresses of the NFTs on a Move chain, in the order of `tokenIds`.',
    }),
    classId: t.string({
      description: 'Class of the collection in transfers between chains, where it is known.',
    }),
    classTrace: t.field({
      type: NftClassTraceInput,
      description: 'Where the collection came from, if it was issued on another chain.',
    }),
    extra: t.field({
      type: 'JSON',
      description: 'Further fields for the router, in its own names.',
    }),
  }),
})

async function transferBody(context: Context, input: typeof NftTransferInput.$inferInput): Promise<string> {
  const { tokenIds, objectAddresses, classTrace } = input
  if (tokenIds.length === 0 || tokenIds.length > maxTokens) {
    throw badInput(`\`tokenIds\` has 1 to ${maxTokens} entries.`, 'TOO_MANY_ENTRIES')
  }
  if (objectAddresses && objectAddresses.length !== tokenIds.length) {
    throw badInput('`objectAddresses` has one entry for each of `tokenIds`.')
  }
  const sourceChainId = checkChainId(input.sourceChainId)
  const destinationChainId = checkChainId(input.destinationChainId)
  return withExtra(input.extra, {
    from_address: await routerAddress(context, sourceChainId, input.sourceAddress),
    from_chain_id: sourceChainId,
    to_address: await routerAddress(context, destinationChainId, input.destinationAddress),
    to_chain_id: destinationChainId,
    collection_address: input.collectionAddress,
    token_ids: tokenIds,
    object_addresses: objectAddresses ?? undefined,
    class_id: input.classId ?? undefined,
    class_trace: classTrace ? { path: classTrace.path, base_class_id: classTrace.baseClassId } : undefined,
  })
}

const NftTransferMessage = builder.objectRef<z.output<typeof message>>('NftTransferMessage').implement({
  description: 'An unsigned message of a Cosmos transaction that sends NFTs.',
  fields: (t) => ({
    rawKind: t.value(
      'String',
      'Type of the message: a Protobuf type, or an amino type.',
      ({ typeUrl, type }) => typeUrl ?? type ?? '',
    ),
    isAmino: t.value(
      'Boolean',
      'Whether the type is an amino type, and the body in the form of amino JSON.',
      ({ typeUrl }) => typeUrl === undefined,
    ),
    body: t.nullable('JSON', 'Fields of the message. Null if the router omits them.', ({ value }) => value),
  }),
})

builder.queryField('nftTransferMessages', (t) =>
  t.field({
    type: [NftTransferMessage],
    nullable: true,
    description:
      'The messages that send NFTs, to sign in one transaction of the source chain. Not all routers have them. Costs one upstream request.',
    args: {
      input: t.arg({
        type: NftTransferInput,
        required: true,
        description: 'The NFTs, the sender and the recipient.',
      }),
    },
    complexity: { field: callCost, multiplier: 5 },
    resolve: async (_root, { input }, context) => {
      const body = await transferBody(context, input)
      const response = await postToRouter(context, '/nft', body, messages, { isSlow: true })
      return response?.msgs ?? null
    },
  }),
)
