import { builder } from '../../../engine/graphql/builder.ts'

export const AssetInput = builder.inputType('AssetInput', {
  description: 'An asset on a chain.',
  fields: (t) => ({
    chainId: t.field({
      type: 'ChainId',
      required: true,
      description: 'The chain that the asset is on.',
    }),
    denom: t.field({
      type: 'Denom',
      required: true,
      description: 'Base denom on that chain, or contract address.',
    }),
  }),
})
