import { builder, type Context } from '../engine/graphql/builder.ts'
import { clientLimitNames, type Limits, limitOf } from '../engine/limits/limits.ts'

const ServiceLimits = builder.objectRef<Limits>('ServiceLimits').implement({
  description: 'Limits of this gateway. To exceed one is an error.',
  fields: (t) =>
    Object.fromEntries(
      clientLimitNames.map((name) => [name, t.exposeInt(name, { description: limitOf(name).description })]),
    ),
})

const Service = builder.objectRef<Context>('Service').implement({
  description: 'This gateway as a service.',
  fields: (t) => ({
    version: t.string({
      description: 'The version of Portolan.',
      resolve: ({ service }) => service.version,
    }),
    isSandbox: t.boolean({
      description: 'Whether the network is simulated.',
      resolve: ({ service }) => service.isSandbox,
    }),
    hasRouter: t.boolean({
      description: 'Whether a cross-chain router is configured. Without one, its fields fail.',
      resolve: ({ network }) => network.router !== undefined,
    }),
    limits: t.field({
      type: ServiceLimits,
      description: 'The limits of this gateway.',
      resolve: ({ limits }) => limits,
    }),
  }),
})

builder.queryField('service', (t) =>
  t.field({
    type: Service,
    description: 'This gateway and its limits.',
    resolve: (_root, _args, context) => context,
  }),
)
