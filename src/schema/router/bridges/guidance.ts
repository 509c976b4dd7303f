/** Who or what a transfer is being waited for. */
export const waitingFor = {
  SOURCE_TRANSACTION: 'The first transaction has to be on its chain.',
  SOURCE_FINALITY: 'The source chain has to be final.',
  ATTESTATION: 'The issuer of the token signs that it was burned.',
  VERIFIERS: 'The verifiers of the bridge have to agree.',
  RELAYER: 'A relayer delivers the message, or reports that it was not delivered.',
  EXECUTOR: 'The executor of the bridge delivers it.',
  SOLVER: 'A solver delivers from its own funds.',
  CHALLENGE_PERIOD: 'The withdrawal can be claimed after the challenge period of the bridge.',
  USER: 'The user has to act. See `nextStep`.',
  NEXT_STEP: 'The step after the delivery has to run.',
  NOBODY: 'Nothing is waited for.',
  UNKNOWN: 'Not known.',
} as const

/** Where the funds are. */
export const funds = {
  NOT_SENT: 'Still with the sender.',
  MOVING: 'On their way.',
  HELD: 'Held by the bridge until somebody acts.',
  CLAIMABLE: 'Ready to be claimed, or they will be after a waiting time.',
  DELIVERED: 'With the recipient.',
  RETURNING: 'On their way back.',
  RETURNED: 'Back with the sender.',
  RELEASED: 'Released to the user on another chain than the last one, or there as another coin.',
  UNKNOWN: 'Not known.',
} as const

/** How funds return if they are not delivered. */
export const returns = {
  AUTOMATIC: 'By themselves.',
  CLAIM: 'By a transaction of the user.',
  NEVER: 'They do not return: the delivery has to be finished.',
  NOTHING_TO_RETURN: 'They have arrived, have returned, or were never sent.',
  UNKNOWN: 'Not known.',
} as const

/**
 * What a state of a bridge means to the person whose money it is. Every fact comes from the public documentation or the source
 * of the bridge. What neither says is left out.
 */
export interface Guidance {
  readonly waitingFor: keyof typeof waitingFor
  readonly funds: keyof typeof funds
  readonly returns: keyof typeof returns
  /** `{from}` and `{to}` stand for the names of the two chains of the hop. */
  readonly sentence: string
  readonly nextStep: string
  /** The same once the state lasts much longer than usual. */
  readonly late?: { readonly sentence: string; readonly nextStep: string }
  /** Seconds that it usually takes at most from the first transaction of the hop on, or by the id of the source chain. */
  readonly usualSeconds?: number | Readonly<Record<string, number>>
  /** Seconds after which it is late. By default twice the usual time. */
  readonly lateAfterSeconds?: number
  /** Where the user can look at it or act. `{hash}` stands for the hash of the first transaction of the hop. */
  readonly url?: string
  /** Where to ask for help. */
  readonly supportUrl?: string
  /** Where the facts come from. */
  readonly source: string
  /** The month of the oldest of these sources, such as `2026-08`. Left out where a page has no date. */
  readonly asOf?: string
}

/** Where users of the router ask for help, by the documentation of Skip Go. */
export const routerSupport = 'https://discord.com/invite/interchain'

/** Of every state in which the funds have arrived. */
export const delivered = {
  waitingFor: 'NOBODY',
  funds: 'DELIVERED',
  returns: 'NOTHING_TO_RETURN',
  sentence: 'Arrived on {to}.',
  nextStep: 'Nothing.',
} as const
