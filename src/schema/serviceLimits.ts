import { type Limits, limitNames, limitOf } from '../config/limits.ts'
import { builder, keepable } from '../graphql/builder.ts'

const ServiceLimits = builder.objectRef<Limits>('ServiceLimits').implement({
  description: 'The limits of this gateway. Exceeding one is an error, never a shorter answer.',
  fields: (t) =>
    Object.fromEntries(
      limitNames
        .filter((name) => limitOf(name).audience === 'client')
        .map((name) => [name, t.exposeInt(name, { description: limitOf(name).description })]),
    ),
})

builder.queryField('serviceLimits', (t) =>
  t.field({
    ...keepable,
    type: ServiceLimits,
    description: 'The limits of this gateway.',
    resolve: (_root, _args, context) => context.limits,
  }),
)
