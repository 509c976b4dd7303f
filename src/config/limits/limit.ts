/**
 * The scope of a limit: one transaction that is read; one operation, request or message; one client or one of its
 * connections; one process; all processes of a gateway together; or the machine, whose processes get equal parts.
 */
export type LimitScope = 'transaction' | 'operation' | 'client' | 'process' | 'gateway' | 'machine'

/** One limit: its default, the bounds an operator may set it within, and how it is described. */
export interface Limit {
  readonly scope: LimitScope
  readonly default: number
  readonly min: number
  readonly max: number
  /** The thing that the number counts, as shown in the help. */
  readonly unit: string
  readonly description: string
}

export const kibibyte = 1024
export const mebibyte = 1024 * kibibyte
