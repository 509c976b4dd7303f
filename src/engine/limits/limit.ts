/** One limit: its default, the bounds an operator may set it within, and how it is described. */
export interface Limit {
  readonly default: number
  readonly min: number
  readonly max: number
  /** The thing that the number counts, as shown in the help. */
  readonly unit: string
  readonly description: string
}

export const kibibyte = 1024
export const mebibyte = 1024 * kibibyte
