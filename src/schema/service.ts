import { clientLimitNames, type Limits, limitOf } from '../config/limits/limits.ts'
import { builder, type Context, keepable } from '../graphql/builder.ts'

const ServiceLimits = builder.objectRef<Limits>('ServiceLimits').implement({
  description: 'The limits of this gateway. Exceeding one is an error, never a shorter answer.',
  fields: (t) =>
    Object.fromEntries(
      clientLimitNames.map((name) => [
        name,
        t.exposeInt(name, { description: limitOf(name).description }),
      ]),
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
      description:
        'Whether the network is simulated. Its chains, records and transfers are not real.',
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
    ...keepable,
    type: Service,
    description: 'What this gateway is, and its limits.',
    resolve: (_root, _args, context) => context,
  }),
)
