import { useCallback, useEffect, useState } from 'react'
import type { Client } from '../client.ts'
import { type Document, type Rest, textOf } from '../document.ts'
import { type Answer, readPage } from '../missing.ts'
import type { PortolanError, ResponseError } from '../portolanError.ts'
import { useClient } from './context.ts'
import { useRetry } from './retry.ts'

/** A query as a component shows it. */
export interface QueryState<Data> {
  /** The last answer to these variables. Undefined before the first. It stays while it is read anew, and if that fails. */
  readonly data: Data | undefined
  /** Why the last read failed as a whole: `data` is then out of date. */
  readonly error: PortolanError | undefined
  /** Why fields of `data` are null, or lists incomplete. */
  readonly fieldErrors: readonly ResponseError[]
  /** The error of a field at the root that is null. */
  readonly rootError: ResponseError | undefined
  /** The error of a field, by its path. All indexes of lists may be left out. */
  readonly errorAt: (...path: readonly (string | number)[]) => ResponseError | undefined
  /** Whether there is neither an answer nor an error yet. */
  readonly isLoading: boolean
  /** When `data` came, in milliseconds since 1970. */
  readonly loadedAt: number | undefined
  /** Reads it anew. A read in flight is given up. */
  readonly refetch: () => void
  readonly document: Document<Data, never>
  readonly variables: object
}

/** How a query is read. */
export interface UseQueryOptions {
  /** Whether nothing is read. An answer that was read before is shown. Default: false. */
  readonly skip?: boolean | undefined
  /** Whether it is read again after a fault that may pass, and while a list lacks a chain. Default: true. */
  readonly retry?: boolean | undefined
}

interface TimedAnswer extends Answer<unknown> {
  readonly loadedAt: number
}

/** The newest read of a component, which says nothing of another client or of other variables. */
interface NewestRead {
  readonly client: Client
  readonly key: string
  readonly answer?: TimedAnswer | undefined
  readonly error?: PortolanError | undefined
}

/** The answers of each client, by document and variables, oldest first. Nothing is put into it on a server. */
const answers = new WeakMap<Client, Map<string, TimedAnswer>>()

/** As many answers as a reader is likely to come back to. */
const maxAnswers = 40

function keepAnswer(client: Client, key: string, answer: TimedAnswer): void {
  const all = answers.get(client) ?? new Map<string, TimedAnswer>()
  answers.set(client, all)
  all.delete(key)
  all.set(key, answer)
  if (all.size > maxAnswers) all.delete(all.keys().next().value ?? '')
}

/** The same for equal documents and variables. */
export const keyOf = <Data, Variables>(document: Document<Data, Variables>, variables: unknown): string =>
  JSON.stringify([textOf(document), variables])

/**
 * Reads a query, and reads it again when its variables change, and after a fault that may pass. The last answer to the same
 * query is shown until a newer one comes.
 */
export function useQuery<Data, Variables>(
  document: Document<Data, Variables>,
  ...[variables, { skip = false, retry = true } = {}]: Rest<Variables, UseQueryOptions>
): QueryState<Data> {
  const client = useClient()
  const key = keyOf(document, variables)
  const [newest, setNewest] = useState<NewestRead>()
  const [turn, setTurn] = useState(0)
  const refetch = useCallback(() => setTurn((last) => last + 1), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is read, and the turn that it is read anew
  useEffect(() => {
    if (skip) return
    const abort = new AbortController()
    const { signal } = abort
    const read = async () => {
      // StrictMode mounts twice. The first time is over before the request is sent.
      await undefined
      if (signal.aborted) return
      try {
        const page = await readPage(client, document as Document<unknown, never>, variables, signal)
        if (signal.aborted) return
        const answer = { ...page, loadedAt: Date.now() }
        keepAnswer(client, key, answer)
        setNewest({ client, key, answer })
      } catch (error) {
        if (!signal.aborted) setNewest({ client, key, error: error as PortolanError })
      }
    }
    void read()
    return () => abort.abort()
  }, [client, key, turn, skip])
  const own = newest?.client === client && newest.key === key ? newest : undefined
  const answer = own?.answer ?? answers.get(client)?.get(key)
  const { data, error: partial, loadedAt } = answer ?? {}
  const fieldErrors = partial?.errors ?? []
  const error = own?.error
  useRetry(own && retry && !skip ? { data: own.answer?.data, error, fieldErrors } : undefined, refetch)
  return {
    data: data as Data | undefined,
    ...{ error, fieldErrors, loadedAt, refetch },
    rootError: fieldErrors.find(({ path: [name, ...rest] = [] }) => rest.length === 0 && !hasField(data, name)),
    errorAt: (...path) => fieldErrors.find((fault) => isAt(path, fault)),
    isLoading: !skip && !answer && !error,
    document: document as Document<Data, never>,
    variables: variables ?? {},
  }
}

/** Whether a field at the root is not null. A list that lacks a chain has an error beside its data. */
const hasField = (data: unknown, name: string | number | undefined): boolean =>
  name !== undefined && (data as Readonly<Record<string, unknown>> | undefined)?.[name] != null

/** Whether an error is of the field at a path, or of one below it. */
function isAt(path: readonly (string | number)[], { path: at = [] }: ResponseError): boolean {
  const hasIndex = path.some((part) => typeof part === 'number')
  const parts = hasIndex ? at : at.filter((part) => typeof part === 'string')
  return path.every((part, index) => parts[index] === part)
}
