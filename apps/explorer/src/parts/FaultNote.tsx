import { isPassing, type ResponseError } from '@portolan/client/errors'
import { text } from '../text.ts'
import { isFinal } from '../values/faultCodes.ts'
import { ApiKey } from './ApiKey.tsx'
import { ChainText } from './ChainText.tsx'
import { ChainName, type ChainParts } from './recordLinks.tsx'

interface Fault {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly service?: unknown
  readonly retryAfter?: unknown
}

const faultOf = (error: ResponseError | (Error & Fault)): Fault =>
  'extensions' in error && error.extensions
    ? { ...(error.extensions as Fault), message: error.message }
    : 'code' in error
      ? error
      : {}

/** What a fault means, in a sentence about the service that it names. */
function meaningOf(code: string, service: unknown): string {
  const name = text.serviceNames[String(service)] ?? text.indexerName
  return text.codes[code]?.(name) ?? text.unknownFault
}

/** What stands in the place of what could not be read: what it means, and when it is tried again. */
export function FaultNote({
  error,
  onRetry,
}: {
  error: ResponseError | (Error & Fault) | undefined
  onRetry?: (() => void) | undefined
}) {
  if (!error) return null
  const { code = '', message, service, retryAfter } = faultOf(error)
  const seconds = Number(retryAfter)
  if (code === 'UNAUTHENTICATED') {
    return (
      <div class="failed" role="note">
        <strong>{meaningOf(code, service)}</strong>
        <ApiKey />
      </div>
    )
  }
  // Nothing has failed, and nothing would change if it was tried again.
  if (code === 'NOT_CONFIGURED') {
    return (
      <p class="nothing" role="note">
        {text.unconfigured(String(service ?? ''))}
      </p>
    )
  }
  return (
    <p class="failed" role="note">
      <strong>{meaningOf(code, service)}</strong>{' '}
      {code === 'BAD_USER_INPUT' && message && <ChainText>{message}</ChainText>}{' '}
      {seconds > 0 ? text.retryIn(Math.ceil(seconds)) : isPassing(code) && text.retried}
      <span class="code">
        {code}
        {service ? ` · ${String(service)}` : ''}
      </span>
      {onRetry && !isFinal(code) && (
        <button type="button" onClick={onRetry}>
          {text.retry}
        </button>
      )}
    </p>
  )
}

/** What stands in the place of an empty list. Nothing does if chains are missing: they may have rows of it. */
export const EmptyNote = ({ but }: { but?: readonly unknown[] | undefined }) =>
  but?.length ? null : <p class="nothing">{text.nothing}</p>

/** A chain that a list lacks, and why. */
export interface MissingChainParts {
  readonly chain: ChainParts
  readonly code: string
}

/** Names the chains that a list lacks, above it. */
export function MissingChains({ chains }: { chains: readonly MissingChainParts[] | undefined }) {
  if (!chains?.length) return null
  if (chains.every(({ code }) => code === 'NOT_CONFIGURED')) {
    return (
      <p class="nothing" role="note">
        {text.unconfigured(chains.map(({ chain }) => chain.prettyName).join(', '))}
      </p>
    )
  }
  return (
    <p class="failed" role="note">
      {text.unavailable}{' '}
      {chains.map(({ chain, code }) => (
        <span key={chain.chainId}>
          <ChainName chain={chain} /> <span class="code">{code}</span>{' '}
        </span>
      ))}
    </p>
  )
}
