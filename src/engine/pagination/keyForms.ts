import type { UpstreamFacts } from '../upstream/cachedReads.ts'
import { type Path, routeOf } from '../upstream/request.ts'

// The contract says that a page's key leads to the page after it, and not what it is. So what a key means is learnt from the
// pages of each list: a gateway makes a key of its own only where those of the indexer have shown that form.

/**
 * What the keys of a list are.
 *
 * - `bound`: JSON with the number of the last record, so that a key can be made for any number.
 * - `count`: the number of records before the next page, so that a key can be made for any place.
 * - `opaque`: anything else. A key is sent back as it came.
 */
export type KeyForm = 'bound' | 'count' | 'opaque'

interface KeyFacts {
  /** Undefined until it is certain. */
  readonly form: KeyForm | undefined
  /** A number of records that a key was equal to. A record's own number can be equal to it once by chance. */
  readonly counted: number | undefined
  /** Whether counts are written in base64. */
  readonly isBase64: boolean
}

const nothing: KeyFacts = { form: undefined, counted: undefined, isBase64: true }

const region = {
  name: 'forms of page keys',
  // Routes are part of the code: a few dozen for each chain.
  maxEntries: 10_000,
  // A service can be replaced by another version.
  ttlMs: 60 * 60 * 1000,
}

/** The form of the keys of a list, which is learnt from its pages. */
export interface LearntKeys {
  readonly form: () => KeyForm | undefined
  /** Notes that a key has a form by itself. */
  readonly note: (form: 'bound' | 'opaque') => void
  /**
   * Notes the key after that many records from the start of the list. It counts records if that is true of two different
   * numbers, and of each key after these.
   */
  readonly observeCount: (records: number, key: string) => void
  /** The key that leads past that many records, as the keys that count records are written. */
  readonly ofCount: (records: number) => string
}

/** The forms of the keys of the lists on one route of a source, in one direction: as for page caps. */
export function learntKeys(
  hints: UpstreamFacts,
  source: string,
  path: Path | string,
  isReverse: boolean,
  filters: readonly string[] = [],
): LearntKeys {
  const entries = hints.open<KeyFacts>(region)
  const name = `${source} ${routeOf(path)} ${filters.toSorted().join()} ${isReverse}`
  const facts = () => entries.get(name) ?? nothing
  const note = (form: KeyForm) => {
    const known = facts()
    if (known.form !== form) entries.set(name, { ...known, form })
  }
  return {
    form: () => facts().form,
    note,
    observeCount(records, key) {
      const { form, counted } = facts()
      if (form === 'opaque') return
      const isBase64 = !digits.test(key)
      if (countIn(key) !== records) note('opaque')
      else if (form === undefined) {
        const isCertain = counted !== undefined && counted !== records
        entries.set(name, { form: isCertain ? 'count' : undefined, counted: records, isBase64 })
      }
    },
    ofCount: (records) => (facts().isBase64 ? Buffer.from(String(records)).toString('base64') : String(records)),
  }
}

const digits = /^\d{1,15}$/

/** The number in a key of digits, also in base64. Undefined for another key. */
export function countIn(key: string): number | undefined {
  const text = digits.test(key) ? key : Buffer.from(key, 'base64').toString()
  return digits.test(text) ? Number(text) : undefined
}
