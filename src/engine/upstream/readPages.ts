import { type Listed, type Page, readable } from '../wire/decode.ts'
import type { ListedRecord } from './request.ts'

/** The pages of one list schema that an operation has read, and their records by key once one was looked up. */
interface PagesOfKind {
  readonly pages: Page<Listed<unknown>>[]
  readonly records: Map<string, unknown>
  /** How many pages `records` has. */
  indexed: number
}

/** The pages that an operation has read of lists, so that none of their records is looked up. */
export class ReadPages {
  readonly #kinds = new Map<string, PagesOfKind>()

  /** Notes a page of an upstream, read by the schema with this number. */
  add(upstream: string, reader: number, page: Page<Listed<unknown>>): void {
    const name = `${upstream} ${reader}`
    const kind = this.#kinds.get(name)
    if (kind) kind.pages.push(page)
    else this.#kinds.set(name, { pages: [page], records: new Map(), indexed: 0 })
  }

  /** A record that one of the pages has. Undefined if none has it. */
  find<T>(upstream: string, { reader, key, keyOf }: ListedRecord<T>): T | undefined {
    const kind = this.#kinds.get(`${upstream} ${reader}`)
    if (!kind) return undefined
    for (; kind.indexed < kind.pages.length; kind.indexed += 1) {
      // The number of the schema says what the records are.
      const records = readable(kind.pages[kind.indexed]?.items ?? []) as readonly T[]
      for (const record of records) kind.records.set(keyOf(record), record)
    }
    return kind.records.get(key) as T | undefined
  }

  clear(): void {
    this.#kinds.clear()
  }
}
