import { createHash } from 'node:crypto'

// What the contract says of page keys: a page's `next_key` is sent back as `pagination.key` to get the page after it. It does
// not say what they are, so they are here whatever an indexer could choose.

/** How an indexer writes the place after a record, and finds it again. */
export interface KeyForm {
  /** The key that leads past a record, which is the `count`-th one from the start of the walk. */
  readonly write: (serial: number, count: number) => string
  /** Whether the key counts records, in place of naming one. */
  readonly isCount?: true
  /** What `write` has made a key of. Undefined for a text that it has not made. */
  readonly read: (key: string) => number | undefined
}

const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64')
const plain = (key: string) => Buffer.from(key, 'base64')

const digitsIn = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined)

/** Keys that say nothing, as an indexer has that keeps its cursors to itself. */
function randomTexts(): KeyForm {
  const places = new Map<string, number>()
  return {
    write(serial) {
      const key = createHash('sha256').update(`place ${serial}`).digest('base64url').slice(0, 22)
      places.set(key, serial)
      return key
    },
    read: (key) => places.get(key),
  }
}

const eightBytes: KeyForm = {
  write(serial) {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(serial))
    return base64(bytes)
  },
  read(key) {
    const bytes = plain(key)
    return bytes.length === 8 ? Number(bytes.readBigUInt64BE()) : undefined
  },
}

/** The forms of keys, each made anew for an indexer. */
export const keyForms: Readonly<Record<string, () => KeyForm>> = {
  'random texts': randomTexts,
  'digits of a record': () => ({ write: (serial) => base64(String(serial)), read: (key) => digitsIn(`${plain(key)}`) }),
  'digits of a count': () => ({
    write: (_serial, count) => base64(String(count)),
    isCount: true,
    read: (key) => digitsIn(`${plain(key)}`),
  }),
  'eight bytes': () => eightBytes,
  'plain numbers': () => ({ write: String, read: digitsIn }),
  'JSON of a height': () => ({
    write: (serial) => base64(JSON.stringify({ height: serial })),
    read: (key) => digitsIn(/^\{"height":(\d+)\}$/.exec(`${plain(key)}`)?.[1] ?? ''),
  }),
}
