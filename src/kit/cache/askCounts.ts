/** Places of a row of counters. After as many asks, all of them are halved. */
const places = 2 ** 16

/**
 * Counts how often each text was asked for lately, roughly: texts can share a counter. Each has one in two rows, the lower of
 * which counts. It never holds on to a text.
 */
export class AskCounts {
  readonly #rows = [new Uint8Array(places), new Uint8Array(places)] as const
  #asks = 0

  add(text: string): void {
    const hash = hashOf(text)
    const [first, second] = this.#rows
    raise(first, hash & (places - 1))
    raise(second, hash >>> 16)
    this.#asks += 1
    if (this.#asks % places === 0) for (const row of this.#rows) halve(row)
  }

  of(text: string): number {
    const hash = hashOf(text)
    const [first, second] = this.#rows
    return Math.min(first[hash & (places - 1)] ?? 0, second[hash >>> 16] ?? 0)
  }
}

function raise(row: Uint8Array, place: number): void {
  const count = row[place] ?? 0
  if (count < 255) row[place] = count + 1
}

function halve(row: Uint8Array): void {
  for (const [place, count] of row.entries()) row[place] = count >> 1
}

/** The FNV-1a hash of a text, over its characters. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  return hash
}
