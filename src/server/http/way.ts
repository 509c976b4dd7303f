import type { IncomingMessage } from 'node:http'
import type { Client } from '../clients/client.ts'
import type { Sender } from '../operation/sender.ts'
import type { Handler, Reply } from './reply.ts'

/** A request, and the reply to it. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly reply: Reply
}

/** A request whose client is known. */
export interface ClientExchange extends Exchange {
  readonly client: Client
}

/** A request that has arrived completely. */
export interface WholeExchange extends ClientExchange {
  /** Undefined for a GET. */
  readonly body: string | undefined
}

/** A request to the graph, with the sender of its operation. */
export interface SentExchange extends Exchange, Pick<WholeExchange, 'body'> {
  readonly sender: Sender
}

type Done = Promise<void> | void

/** One step of the way of a request: it answers the request, or hands it on with what it has found out. */
export type RequestStep<In, Out = In> = (exchange: In, next: (exchange: Out) => Done) => Done

/** The way of a request, as a list of steps. A step sees only requests that all steps before it have handed on. */
export class Way<Out> {
  readonly #walk: (exchange: Exchange, next: (exchange: Out) => Done) => Done

  constructor(walk: (exchange: Exchange, next: (exchange: Out) => Done) => Done) {
    this.#walk = walk
  }

  step<Next>(step: RequestStep<Out, Next>): Way<Next> {
    return new Way((exchange, next) => this.#walk(exchange, (found) => step(found, next)))
  }

  /** The handler that leads requests along the way to its end. */
  end(answer: (exchange: Out) => Done): Handler {
    return (request, reply) => this.#walk({ request, reply }, answer)
  }
}

/** The begin of a way. */
export const way = (): Way<Exchange> => new Way((exchange, next) => next(exchange))
