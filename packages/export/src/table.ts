import type { Column, Row } from '#kit/table'

/** What is kept from record to record, and from run to run. */
export interface Ledger {
  /** Texts that were met before, by what they are, in the order in which they were met. */
  readonly lists: Record<string, string[]>
  /** How often each thing happened that readers of the file must know. */
  readonly notes: Record<string, number>
}

/** Counts something that readers of the file must know. */
export function addNote({ notes }: Ledger, name: string): void {
  notes[name] = (notes[name] ?? 0) + 1
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
  rowsOf(edge: Edge, ledger: Ledger): readonly Row[]
}
