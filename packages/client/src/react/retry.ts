import { useEffect, useRef } from 'react'
import type { Client } from '../client.ts'
import { waitOf } from '../missing.ts'
import { isPassing, type PortolanError, type ResponseError } from '../portolanError.ts'
import { useClient } from './context.ts'

/** What was read, as far as a retry depends on it. */
export interface RetriedRead {
  readonly data?: unknown
  /** Why nothing was read. */
  readonly error?: PortolanError | undefined
  /** Why fields of `data` are null. */
  readonly fieldErrors?: readonly ResponseError[] | undefined
}

/** The first fault of an answer that may pass: the error of a field, or a chain that a list lacks. */
export function passingFault({ data, fieldErrors = [] }: RetriedRead): { readonly retryAfter?: unknown } | undefined {
  const error = fieldErrors.find(({ extensions }) => isPassing(extensions?.code))
  if (error) return { retryAfter: error.extensions?.retryAfter }
  return lacksChain(data) ? {} : undefined
}

function lacksChain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(lacksChain)
  return Object.entries(value).some(([name, part]) =>
    name === 'unavailableChains' && Array.isArray(part) ? part.some(({ code }) => isPassing(code)) : lacksChain(part),
  )
}

/** Milliseconds before a retry: not before the gateway says so. */
export const retryWait = (attempt: number, retryAfter: unknown): number =>
  Math.max(waitOf(attempt), (Number(retryAfter) || 0) * 1000)

/** Calls back each time the connection to the gateway is there again. The returned function stops it. */
export function onReturn(client: Client, callback: () => void): () => void {
  let wasAway = client.status !== 'live'
  return client.onStatus(() => {
    const isAway = client.status !== 'live'
    if (wasAway && !isAway) callback()
    wasAway = isAway
  })
}

/**
 * Calls `retry` some time after a fault that may pass: after four seconds, then with waits that double up to a minute, and
 * not before the gateway says so. The waits begin anew once a read has no such fault. `useQuery` does so by itself.
 */
export function useRetry(read: RetriedRead | undefined, retry: () => void): void {
  const client = useClient()
  const attempt = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each read is retried once
  useEffect(() => {
    const { error } = read ?? {}
    const fault = error ? isPassing(error.code) && error : read && passingFault(read)
    if (!fault) {
      attempt.current = 0
      return
    }
    const timer = setTimeout(retry, retryWait(attempt.current++, fault.retryAfter))
    // Without an answer of the gateway, the query is sent as soon as the gateway is there again.
    const stop = error && onReturn(client, retry)
    return () => {
      clearTimeout(timer)
      stop?.()
    }
  }, [client, read?.data, read?.error])
}
