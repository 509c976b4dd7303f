import { builder, type Context } from '../engine/graphql/builder.ts'
import { clientLimitNames, type Limits, limitOf } from '../engine/limits/limits.ts'

const ServiceLimits = builder.objectRef<Limits>('ServiceLimits').implement({
  description: 'Limits of this gateway. To exceed one is an error.',
  fields: (t) =>
    Object.fromEntries(
      clientLimitNames.map((name) => [name, t.value('Int', limitOf(name).description, (limits) => limits[name])]),
    ),
})

const Service = builder.objectRef<Context>('Service').implement({
  description: 'This gateway as a service.',
  fields: (t) => ({
    version: t.value('String', 'The version of Portolan.', ({ service }) => service.version),
    isSandbox: t.value('Boolean', 'Whether the network is simulated.', ({ service }) => service.isSandbox),
    hasRouter: t.value(
      'Boolean',
      'Whether a cross-chain router is configured. Without one, its fields fail.',
      ({ network }) => network.router !== undefined,
    ),
    limits: t.value(ServiceLimits, 'The limits of this gateway.', ({ limits }) => limits),
  }),
})

builder.queryField('service', (t) =>
  t.value(Service, 'This gateway and its limits.', (_root, _args, context) => context),
)
