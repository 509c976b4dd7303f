/** Names what the keys of a poll or a feed stand for, and carries the type of its values. */
export interface Topic<T> {
  /** Unique within the process. Equal keys of two topics are two things. */
  readonly name: string
  /** Never set. It lets TypeScript distinguish topics of different values. */
  readonly values?: T
}

/** Declares a topic. Each is declared once, as a constant. */
export const defineTopic = <T>(name: string): Topic<T> => ({ name })
