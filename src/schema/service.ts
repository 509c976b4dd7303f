import { builder, type Context, keepable } from '../graphql/builder.ts'

const Service = builder.objectRef<Context>('Service').implement({
  description: 'This gateway as a service.',
  fields: (t) => ({
    version: t.string({
      description: 'The version of Portolan.',
      resolve: ({ service }) => service.version,
    }),
    isSandbox: t.boolean({
      description:
        'Whether the network is simulated. Its chains, records and transfers are not real.',
      resolve: ({ service }) => service.isSandbox,
    }),
    hasRouter: t.boolean({
      description: 'Whether a cross-chain router is configured. Without one, its fields fail.',
      resolve: ({ network }) => network.router !== undefined,
    }),
  }),
})

builder.queryField('service', (t) =>
  t.field({
    ...keepable,
    type: Service,
    description: 'What this gateway is.',
    resolve: (_root, _args, context) => context,
  }),
)
