import type { GraphQLError } from 'graphql'
import type { Limits } from '../../engine/limits/limits.ts'
import { limitError } from '../clients/limitError.ts'

/** Counts what was written for clients that have not read it yet, so that slow readers cannot fill the memory. */
export interface UnreadAnswers {
  /** Counts bytes that wait for a client. The function it returns ends that, and may be called again. */
  hold(client: string, bytes: number): () => void
  /** The error for a client that has to read first, or for all clients. Undefined if there is room. */
  refuse(client: string): GraphQLError | undefined
  /** Bytes that wait for all clients. */
  readonly bytes: number
}

/** Seconds until a refused client should try again. Readers that stand still are dropped after ten to twenty. */
const retryAfter = 1

/** Largest answers that may wait for one client: the one that it reads, and the next. */
const answersOfClient = 2

/** Largest answers that may wait for all clients of a process: 256 MiB by default, which a process of 1 GiB has room for. */
const answersOfAll = 8

/** Opens the count of a process. */
export function createUnreadAnswers({ maxAnswerBytes }: Pick<Limits, 'maxAnswerBytes'>): UnreadAnswers {
  const maxOfClient = maxAnswerBytes * answersOfClient
  const maxOfAll = maxAnswerBytes * answersOfAll
  const byClient = new Map<string, number>()
  let total = 0

  const add = (client: string, bytes: number) => {
    total += bytes
    const sum = (byClient.get(client) ?? 0) + bytes
    if (sum > 0) byClient.set(client, sum)
    else byClient.delete(client)
  }

  return {
    hold(client, bytes) {
      let held = bytes
      add(client, held)
      return () => {
        add(client, -held)
        held = 0
      }
    },
    refuse(client) {
      const retry = { code: 'RATE_LIMITED', retryAfter } as const
      const headers = { 'retry-after': String(retryAfter) }
      if ((byClient.get(client) ?? 0) >= maxOfClient) {
        const message = 'This client has not read its last answers yet. Read them first.'
        return limitError('waiting_bytes_per_client', message, {
          ...retry,
          http: { status: 429, headers },
        })
      }
      if (total < maxOfAll) return undefined
      const message = 'Too many answers wait for their readers. Try again in a second.'
      return limitError('waiting_bytes', message, { ...retry, http: { status: 503, headers } })
    },
    get bytes() {
      return total
    },
  }
}
