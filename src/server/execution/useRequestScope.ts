import { createSourceEventStream, type ExecutionArgs, execute } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import { systemClock } from '../../clock/clock.ts'
import { openDeadline } from '../../clock/deadline.ts'
import type { Limits } from '../../config/limits.ts'
import type { Context } from '../../graphql/builder.ts'
import { createRequestScope } from '../../upstream/requestScope.ts'
import { mapEvents } from './mapEvents.ts'

/** What a transport gives each operation. */
export interface Client {
  /** Aborts when the client leaves, or ends the operation. */
  readonly client: AbortSignal
}

/** What all operations of a server share. */
export type Shared = Pick<Context, 'network' | 'cache' | 'poller' | 'limits'>

type OperationContext = Client & Context

/** Runs before each operation: a scope for a query or mutation, one for each event of a subscription. */
export function useScopes(
  limits: Limits,
  hooks: { onSubscription: () => () => void },
): Plugin<OperationContext> {
  return {
    onExecute({ args, context, extendContext }) {
      const deadline = openDeadline(systemClock, {
        milliseconds: limits.timeoutMs,
        signal: context.client,
      })
      extendContext({ scope: createRequestScope(deadline.signal) })
      // The deadline is not the executor's: what has come in time is still answered.
      Object.assign(args, { signal: context.client })
      return { onExecuteDone: () => deadline.close() }
    },

    onSubscribe({ context, extendContext, setSubscribeFn }) {
      const { client } = context
      extendContext({ scope: createRequestScope(client) })
      setSubscribeFn(async (args: ExecutionArgs) => {
        const source = await createSourceEventStream(args)
        if (!isAsyncIterable(source)) return source
        return mapEvents(source, {
          signal: client,
          onEnd: hooks.onSubscription(),
          run: async (event) => {
            const deadline = openDeadline(systemClock, {
              milliseconds: limits.timeoutMs,
              signal: client,
            })
            try {
              const scope = createRequestScope(deadline.signal)
              const contextValue = { ...Object(args.contextValue), scope }
              return await execute({ ...args, rootValue: event, contextValue })
            } finally {
              deadline.close()
            }
          },
        })
      })
    },
  }
}
