/**
 * The scope of a limit: one transaction that is read; one operation, request or message; one client or one of its
 * connections; one process; or the machine, whose processes get equal parts.
 */
export type LimitScope = 'transaction' | 'operation' | 'client' | 'process' | 'machine'

/** One limit: its default, the bounds an operator may set it within, and how it is described. */
export interface Limit {
  readonly scope: LimitScope
  /** Whether several processes divide it, as they do each limit of the machine. Default: false. */
  readonly isDivided?: boolean
  readonly default: number
  readonly min: number
  readonly max: number
  /** The thing that the number counts, as shown in the help. */
  readonly unit: string
  readonly description: string
}

export const kibibyte = 1024
export const mebibyte = 1024 * kibibyte
