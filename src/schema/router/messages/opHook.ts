import { z } from 'zod'
import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { post } from '../../../upstream/request.ts'
import { routerAddress } from '../addressInput.ts'
import { chainField, routerChainField } from '../chainFields.ts'
import { unpackRoute } from '../route/routeToken.ts'
import { routerOf } from '../routerInput.ts'
import { ChainMessage, chainMessage } from './unsignedMessage.ts'

const hook = z.object({ chain_id: z.string(), hook: z.array(chainMessage) })

const OpHookInput = builder.inputType('OpHookInput', {
  description: 'A route that requires a hook, and whose transfer it will be.',
  fields: (t) => ({
    route: t.string({ required: true, description: '`Route.token`.' }),
    sourceAddress: t.string({
      required: true,
      description: 'The sender, on the chain the route starts on.',
    }),
    destAddress: t.string({
      required: true,
      description: 'The recipient, on the chain the route ends on; the one who signs the hook.',
    }),
  }),
})

const OpHook = builder.objectRef<z.output<typeof hook>>('OpHook').implement({
  description:
    'Messages of a rollup transaction to be signed in advance, without a fee; the bridge executes it when the asset arrives. It is void once its signer sends anything else there.',
  fields: (t) => ({
    chainId: t.exposeString('chain_id', { description: 'The rollup to sign for.' }),
    chain: chainField(t, 'That rollup', (one) => one.chain_id),
    routerChain: routerChainField(t, "The router's record of that rollup.", (one) => one.chain_id),
    messages: t.field({
      type: [ChainMessage],
      description: 'What to sign, in order.',
      resolve: (one) => one.hook,
    }),
  }),
})

function loadHook(context: Context, input: typeof OpHookInput.$inferInput) {
  const { terms } = unpackRoute(input.route)
  const { source_asset_chain_id, source_asset_denom, dest_asset_chain_id, dest_asset_denom } = terms
  const body = JSON.stringify({
    source_address: routerAddress(context, source_asset_chain_id, input.sourceAddress),
    source_asset_chain_id,
    source_asset_denom,
    dest_address: routerAddress(context, dest_asset_chain_id, input.destAddress),
    dest_asset_chain_id,
    dest_asset_denom,
  })
  return context.scope.fetch(
    routerOf(context),
    post('/op-hook', body, (answer) => hook.parse(answer), { is404Error: true }),
  )
}

builder.queryField('opHook', (t) =>
  t.field({
    type: OpHook,
    nullable: true,
    description:
      'The hook of a route with `requiresOpHook`. Sign its messages and give the transaction to `transferMessages` as `signedOpHook`. Refused for routes that take none.',
    args: {
      input: t.arg({
        type: OpHookInput,
        required: true,
        description: 'The route and its two ends.',
      }),
    },
    complexity: callCost,
    resolve: (_root, { input }, context) => loadHook(context, input),
  }),
)
