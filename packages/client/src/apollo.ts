import { ApolloLink, Observable } from '@apollo/client'
import { OperationTypeNode, print } from 'graphql'
import type { Client } from './client.ts'
import { type Gap, type ObserveOptions, observe } from './observe.ts'

export type { Gap, ObserveOptions }

/**
 * A link for Apollo Client 4 that answers subscriptions, and resumes them after each lost connection. All other
 * operations go on to the next link.
 */
export const liveLink = (client: Client, options: ObserveOptions): ApolloLink =>
  new ApolloLink((operation, forward) => {
    const { query, variables, operationType } = operation
    if (operationType !== OperationTypeNode.SUBSCRIPTION) return forward(operation)
    return new Observable((observer) => {
      const sink = {
        next: (result: object) => observer.next(result as ApolloLink.Result),
        error: (error: unknown) => observer.error(error),
        complete: () => observer.complete(),
      }
      return observe(client, { query: print(query), variables }, sink, options)
    })
  })
