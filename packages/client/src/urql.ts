import { type Exchange, type ExecutionResult, subscriptionExchange } from '@urql/core'
import type { Client } from './client.ts'
import { type Gap, type ObserveOptions, observe } from './observe.ts'

export type { Gap, ObserveOptions }

/**
 * An exchange for urql that answers subscriptions, and resumes them after each lost connection. All other
 * operations go on to the next exchange.
 */
export const liveExchange = (client: Client, options: ObserveOptions): Exchange =>
  subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe(observer) {
        const sink = {
          next: (result: object) => observer.next(result as ExecutionResult),
          error: (error: unknown) => observer.error(error),
          complete: () => observer.complete(),
        }
        return {
          unsubscribe: observe(client, { query, variables: { ...variables } }, sink, options),
        }
      },
    }),
  })
