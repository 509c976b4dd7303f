import { builder } from '../graphql/builder.ts'
import type { Limits } from '../graphql/complexity.ts'

const ServiceLimits = builder.objectRef<Limits>('ServiceLimits').implement({
  description: 'What one request may ask for. Passing a limit is an error, never a shorter answer.',
  fields: (t) => ({
    maxPageSize: t.exposeInt('maxPageSize', { description: 'The largest `first` or `last`.' }),
    defaultPageSize: t.exposeInt('defaultPageSize', {
      description: 'Records on a page when neither `first` nor `last` is given.',
    }),
    maxDepth: t.exposeInt('maxDepth', { description: 'Levels of nested fields.' }),
    maxCost: t.exposeInt('maxCost', {
      description:
        'Points an operation may cost: one a field, five where an upstream is asked, times the page sizes above it.',
    }),
    maxTokens: t.exposeInt('maxTokens', { description: 'Lexical tokens in a document.' }),
    maxRequestBytes: t.exposeInt('maxRequestBytes', {
      description: 'Bytes of an HTTP body or of a WebSocket message.',
    }),
    maxNodes: t.exposeInt('maxNodes', { description: 'Ids in one `nodes` field.' }),
    timeout: t.exposeInt('timeout', {
      description: 'Milliseconds a query or mutation may take before it is given up.',
    }),
    maxSubscriptions: t.exposeInt('maxSubscriptions', {
      description: 'Subscriptions under way on one WebSocket.',
    }),
    maxStreamsPerClient: t.exposeInt('maxStreamsPerClient', {
      description:
        'Sockets and event streams open at once from one address; not counted for proxies on a private network that do not say whom they speak for.',
    }),
  }),
})

builder.queryField('serviceLimits', (t) =>
  t.field({
    type: ServiceLimits,
    description: 'The limits this gateway holds its clients to.',
    resolve: (_root, _args, context) => context.limits,
  }),
)
