import { PortolanError } from '../portolanError.ts'

/** A transaction that a wallet has broadcast. */
export interface SentTransaction {
  /** `approval`: it lets a contract spend a token. `transfer`: it is a transaction of the route. */
  readonly kind: 'approval' | 'transfer'
  readonly chainId: string
  readonly hash: string
}

/** The steps of `sendRoute` that can fail. */
export type FailedStep = 'hook' | 'prepare' | 'approve' | 'sign' | 'state'

/**
 * Why `sendRoute` ended before the asset arrived. Besides the codes of a `PortolanError`, its code is `SIGNER` if a callback
 * failed, whose error is the `cause`, `NO_SIGNER` if one is missing, `QUOTE_EXPIRED`, `ABORTED`, `TRANSFER_FAILED`, or
 * `TRANSFER_UNKNOWN` if nobody tells any more how a transfer goes.
 */
export class SendError extends PortolanError {
  /** The step that failed. */
  readonly step: FailedStep
  /** All that was broadcast before, in order. The chains execute it, whatever failed since. */
  readonly sent: readonly SentTransaction[]

  constructor(step: FailedStep, what: string, cause: unknown, sent: readonly SentTransaction[], isAborted: boolean) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const known = cause instanceof PortolanError ? cause : undefined
    super(
      isAborted ? 'ABORTED' : (known?.code ?? 'SIGNER'),
      `${what}: ${reason}`,
      isAborted ? { cause } : { ...known, cause },
    )
    this.step = step
    this.sent = [...sent]
  }
}
