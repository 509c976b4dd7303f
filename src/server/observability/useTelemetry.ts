import { type DocumentNode, getOperationAST } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import type { FormatError } from '../execution/formatError.ts'

/** One operation, as it ended; a subscription, as it began. */
export interface OperationEvent {
  /** `query`, `mutation` or `subscription`; `none` for a document that could not be run. */
  readonly type: string
  readonly name: string | undefined
  /** `ok`, or the code of the first error. */
  readonly outcome: string
  readonly seconds: number
}

/** Who is told of operations. */
export interface Telemetry {
  onOperation(observed: OperationEvent): void
  /** Called when a subscription's stream opens; what it returns, when that ends. */
  onSubscription(): () => void
}

/** Tells the observer of every operation, on every transport. */
export function useTelemetry({ onOperation }: Telemetry, formatError: FormatError): Plugin {
  const refuse = (outcome: string) =>
    onOperation({ type: 'none', name: undefined, outcome, seconds: 0 })

  const outcomeOf = ([first]: readonly unknown[]) =>
    first === undefined ? 'ok' : String(formatError(first).extensions.code)

  const begin = (args: { document: DocumentNode; operationName?: string | null | undefined }) => {
    const started = performance.now()
    return (result: unknown) => {
      const operation = getOperationAST(args.document, args.operationName)
      onOperation({
        type: operation?.operation ?? 'none',
        name: operation?.name?.value,
        outcome: outcomeOf(errorsOf(result)),
        seconds: (performance.now() - started) / 1000,
      })
    }
  }

  return {
    onParse: () => (parsed) => {
      if (parsed.result instanceof Error) refuse('GRAPHQL_PARSE_FAILED')
    },
    onValidate: () => (validated) => {
      if (!validated.valid) refuse('GRAPHQL_VALIDATION_FAILED')
    },
    onExecute({ args }) {
      const end = begin(args)
      return { onExecuteDone: ({ result }) => end(result) }
    },
    onSubscribe({ args }) {
      const end = begin(args)
      return { onSubscribeResult: ({ result }) => end(result) }
    },
  }
}

function errorsOf(result: unknown): readonly unknown[] {
  if (isAsyncIterable(result) || typeof result !== 'object' || result === null) return []
  return 'errors' in result && Array.isArray(result.errors) ? result.errors : []
}
