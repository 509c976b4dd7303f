import { z } from 'zod'
import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { routerAddress } from '../addressInput.ts'
import { parseRouteToken, tokenCost } from '../route/routeToken.ts'
import { postToRouter } from '../routerClient.ts'
import { chainField } from '../routerFields.ts'
import { ChainMessage, chainMessage } from './unsignedMessage.ts'

const hookBody = z.object({ chain_id: z.string(), hook: z.array(chainMessage) })

const OpHookInput = builder.inputType('OpHookInput', {
  description: 'A route that requires a hook, with the sender and the recipient.',
  fields: (t) => ({
    routeToken: t.string({ required: true, description: 'The `routeToken` of the route.' }),
    sourceAddress: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the sender on the source chain.',
    }),
    destinationAddress: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the recipient on the destination chain. This account signs the hook.',
    }),
  }),
})

const OpHook = builder.objectRef<z.output<typeof hookBody>>('OpHook').implement({
  description:
    'Messages of a rollup transaction, signed in advance without a fee and executed on arrival. Any other transaction of the signer there invalidates it.',
  fields: (t) => ({
    chainId: t.value('ChainId', 'The rollup that executes the hook.', ({ chain_id }) => chain_id),
    chain: chainField(t, 'The rollup', ({ chain_id }) => chain_id),
    messages: t.value([ChainMessage], 'Messages to sign, in order.', ({ hook }) => hook),
  }),
})

async function loadHook(context: Context, input: typeof OpHookInput.$inferInput) {
  const { terms } = parseRouteToken(context, input.routeToken)
  const { source_asset_chain_id, source_asset_denom, dest_asset_chain_id, dest_asset_denom } = terms
  const body = JSON.stringify({
    source_address: await routerAddress(context, source_asset_chain_id, input.sourceAddress),
    source_asset_chain_id,
    source_asset_denom,
    dest_address: await routerAddress(context, dest_asset_chain_id, input.destinationAddress),
    dest_asset_chain_id,
    dest_asset_denom,
  })
  return postToRouter(context, '/op-hook', body, hookBody, { isSlow: true })
}

builder.queryField('opHook', (t) =>
  t.field({
    type: OpHook,
    nullable: true,
    description:
      'The hook of a route with `requiresOpHook`: sign it and pass it to `transferMessages` as `signedOpHook`. Costs one upstream request.',
    args: {
      input: t.arg({
        type: OpHookInput,
        required: true,
        description: 'The route, the sender and the recipient.',
      }),
    },
    complexity: ({ input }) => tokenCost(input.routeToken),
    resolve: (_root, { input }, context) => loadHook(context, input),
  }),
)
