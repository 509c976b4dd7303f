import type { PortolanError, ResponseError } from '@portolan/client/errors'
import { useClient } from '@portolan/client/react'
import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { TypedDocumentString } from '../generated/graphql.ts'
import { onReturn } from './connection.ts'
import { isPassing, passingFault, waitOf } from './retries.ts'

/** A query as a panel shows it. */
export interface Query<Data> {
  /** Undefined before the first answer. It stays while a newer one is read. */
  readonly data: Data | undefined
  /** Why the whole query failed. The data that is shown is then out of date. */
  readonly error: PortolanError | undefined
  /** Why a field at the root is null. */
  readonly rootError: ResponseError | undefined
  readonly isLoading: boolean
  /** The error of a field, by its path. Indexes may be left out of all of it. */
  readonly errorAt: (...path: readonly (string | number)[]) => ResponseError | undefined
  readonly reload: () => void
  readonly operation: Operation
}

/** What a panel asks for. */
export interface Operation {
  readonly document: { toString(): string }
  readonly variables: object
  /** When the answer that is shown came, in milliseconds since 1970. */
  readonly readAt?: number | undefined
}

interface Kept {
  readonly data: unknown
  readonly errors: readonly ResponseError[]
  /** When it came, in milliseconds since 1970. */
  readonly at: number
}

/** Answers that are shown again, until newer ones come, when a reader comes back to a page. */
export const KeptAnswers = createContext(new Map<string, Kept>())

const maxKept = 40

/** Runs a query, again when its variables change, and while a fault in its answer may pass. */
export function useQuery<Data, Variables extends object>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  { skip = false } = {},
): Query<Data> {
  const client = useClient()
  const kept = useContext(KeptAnswers)
  const key = `${document}${JSON.stringify(variables)}`
  const [state, setState] = useState<{ key: string; answer?: Kept; error?: PortolanError }>({ key })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (skip) return
    const abort = new AbortController()
    let errors: readonly ResponseError[] = []
    const onPartial = (error: PortolanError) => {
      errors = error.errors
    }
    client
      .query(document as never, variables as never, { signal: abort.signal, onPartial } as never)
      .then((data: unknown) => {
        const answer = { data, errors, at: Date.now() }
        kept.delete(key)
        kept.set(key, answer)
        if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '')
        setState({ key, answer })
      })
      .catch((error: PortolanError) => {
        if (!abort.signal.aborted) setState((last) => ({ ...last, key, error }))
      })
    return () => abort.abort()
  }, [client, key, turn, skip])
  const reload = useCallback(() => setTurn((last) => last + 1), [])
  const answer = (state.key === key ? state.answer : undefined) ?? kept.get(key)
  const error = state.key === key ? state.error : undefined
  useRetry(state.key === key ? state : undefined, reload)
  return {
    data: answer?.data as Data | undefined,
    error,
    // A list that lacks a chain has an error beside its data.
    rootError: answer?.errors.find(
      ({ path: [name, ...rest] = [] }) => rest.length === 0 && !hasField(answer.data, name),
    ),
    isLoading: !skip && !answer && !error,
    errorAt: (...path) =>
      answer?.errors.find(({ path: at = [] }) => {
        const hasIndex = path.some((part) => typeof part === 'number')
        const parts = hasIndex ? at : at.filter((part) => typeof part === 'string')
        return path.every((part, index) => parts[index] === part)
      }),
    reload,
    operation: { document, variables, readAt: answer?.at },
  }
}

const hasField = (data: unknown, name: string | number | undefined): boolean =>
  name !== undefined && (data as Readonly<Record<string, unknown>> | null)?.[name] != null

/** Calls back some time after an answer with a fault that may pass. The times grow while nothing changes. */
export function useRetry(
  state:
    | {
        readonly answer?: Pick<Kept, 'data' | 'errors'> | undefined
        readonly error?: PortolanError
      }
    | undefined,
  reload: () => void,
): void {
  const client = useClient()
  const attempt = useRef(0)
  useEffect(() => {
    const { answer, error } = state ?? {}
    const fault = error ? isPassing(error.code) && error : answer && passingFault(answer.data, answer.errors)
    if (!fault) {
      attempt.current = 0
      return
    }
    const timer = setTimeout(reload, waitOf(attempt.current++, fault.retryAfter))
    // What the gateway itself did not answer is asked for as soon as it is there again.
    const stop = error && onReturn(client, reload)
    return () => {
      clearTimeout(timer)
      stop?.()
    }
  }, [client, state?.answer?.data, state?.error])
}
