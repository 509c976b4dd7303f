import type { Column, Row } from '#kit/table'

/** What is kept from record to record, and from run to run. */
export interface Ledger {
  /** Texts that were met before, by what they are, in the order in which they were met. */
  readonly lists: Record<string, string[]>
  /** The number of times that each thing happened which readers of the file must know. */
  readonly notes: Record<string, number>
}

/** Counts something that readers of the file must know. */
export function addNote({ notes }: Ledger, name: string, count = 1): void {
  if (count > 0) notes[name] = (notes[name] ?? 0) + count
}

/** A list of texts that were met before. */
export function listIn({ lists }: Ledger, name: string): string[] {
  const list = lists[name] ?? []
  lists[name] = list
  return list
}

/** How records become rows. */
export interface Table<Edge> {
  readonly columns: readonly Column[]
  /** Finds what the rows of a page need besides its records: keeps it in the ledger, or adds it to the records. */
  prepare?(edges: readonly Edge[], ledger: Ledger): Promise<readonly Edge[]>
  rowsOf(edge: Edge, ledger: Ledger): readonly Row[]
}
