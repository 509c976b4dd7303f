import type { z } from 'zod'
import type { Context } from '../../engine/graphql/builder.ts'
import type { Upstream } from '../../engine/upstream/client.ts'
import { GatewayError } from '../../engine/upstream/error.ts'
import { post, type UpstreamRequest } from '../../engine/upstream/request.ts'
import { decode } from '../../engine/wire/compiledSchema.ts'

/** The configured router. Throws `NOT_CONFIGURED` if there is none. */
export function routerOf({ network }: Pick<Context, 'network'>): Upstream {
  if (network.router) return network.router
  throw new GatewayError('NOT_CONFIGURED', 'No router is configured.', { service: 'router' })
}

/** The router's response to a body in JSON. Null for a 404. Equal requests of an operation are sent once. */
export const postToRouter = <T>(
  context: Context,
  path: string,
  body: string,
  schema: z.ZodType<T>,
  options: Pick<UpstreamRequest<T>, 'isSlow'> = {},
): Promise<T | null> =>
  context.scope.fetch(
    routerOf(context),
    post(path, body, (json) => decode(schema, json), options),
  )
