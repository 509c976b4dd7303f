/** The subject of a finding. Each has a name of its own, so that machines can tell findings apart. */
export type Subject =
  | 'reach'
  | 'refused'
  | 'chain'
  | 'shape'
  | 'paging'
  | 'order'
  | 'total'
  | 'filter'
  | 'description'
  | 'record'
  | 'heights'
  | 'vm'
  | 'internal-transactions'
  | 'nft-ids'
  | 'burns'
  | 'rich-list'
  | 'ties'
  | 'clock'
  | 'assets'
  | 'status'
  | 'route'
  | 'prices'
  | 'redis'
  | 'unfinished'

/**
 * One result of an examination. `works`: as the gateway expects. `limited`: the gateway works around it, or
 * a part of the graph is null. `fails`: a part of the graph answers with errors or wrong records.
 */
export interface Finding {
  readonly level: 'works' | 'limited' | 'fails'
  readonly subject: Subject
  readonly text: string
  /** A setting that would help, as `NAME=value`. */
  readonly set?: string | undefined
}

/** The findings about one service. */
export interface ServiceReport {
  /** A chain id, `redis`, or the name of another service such as `router`. */
  readonly service: string
  /** Requests sent, including repeated ones. */
  readonly requests: number
  readonly findings: readonly Finding[]
}

/** Collects the findings about one service. */
export interface Findings {
  readonly all: readonly Finding[]
  works(subject: Subject, text: string): void
  limited(subject: Subject, text: string, set?: string): void
  fails(subject: Subject, text: string, set?: string): void
}

/** A collection without findings. */
export function createFindings(): Findings {
  const all: Finding[] = []
  return {
    all,
    works: (subject, text) => void all.push({ level: 'works', subject, text }),
    limited: (subject, text, set) => void all.push({ level: 'limited', subject, text, set }),
    fails: (subject, text, set) => void all.push({ level: 'fails', subject, text, set }),
  }
}
