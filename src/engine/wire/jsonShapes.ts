// The shapes of the objects in the bodies of an upstream. An upstream writes each kind of object with the same keys in
// the same order. Code that expects these keys reads an object much faster than code that examines each key.

/** The text that is read, and how far it is read. */
export interface Cursor {
  text: string
  at: number
}

/** The bytes of the text, which is ASCII and followed by a zero. Both views are of the same memory. */
export interface TextBytes {
  readonly bytes: Uint8Array
  readonly words: DataView
}

/** A place in bodies, such as `blocks[].proposer`, and what was there before. */
export interface JsonPath {
  readonly shapes: ReadShape[]
  /** Keys that were there, as JSON, and whether they are a shape. */
  readonly seen: Map<string, boolean>
  readonly depth: number
  /** The place of the elements of a list. */
  element: JsonPath | undefined
}

/** Reads an object of one shape, whose first byte is at the cursor. Undefined if its keys differ. */
type ReadShape = () => object | undefined

type ReadValue = (site: JsonPath) => unknown

const limits = {
  /** Deeper values have no place of their own. */
  depth: 32,
  keys: 64,
  /** Characters of the keys of an object, as JSON. */
  keyText: 1_000,
  /** Different shapes of one place. One with more of them holds a map, whose keys are data. */
  shapesOfSite: 16,
  // The gateway remembers at most a few MB for an upstream.
  shapes: 200,
  seen: 1_000,
  sites: 5_000,
}

/** The known shapes of one upstream. */
export interface Shapes {
  readonly root: JsonPath
  /** The place of the elements of a list at a place. Undefined if there is no room for it. */
  elementOf(site: JsonPath): JsonPath | undefined
  /** Remembers the keys of a value at a place. Keys that have been there twice are a shape. */
  learn(site: JsonPath, value: unknown): void
}

/** Knows nothing at first. Shapes read with `cursor`, and their values with `readValue`. */
export function createShapes(cursor: Cursor, text: TextBytes, readValue: ReadValue): Shapes {
  const rest = { shapes: limits.shapes, seen: limits.seen, sites: limits.sites }
  const createSite = (depth: number): JsonPath => {
    rest.sites -= 1
    return { shapes: [], seen: new Map(), depth, element: undefined }
  }
  return {
    root: createSite(0),
    elementOf(site) {
      if (!site.element && site.depth < limits.depth && rest.sites > 0) {
        site.element = createSite(site.depth + 1)
      }
      return site.element
    },
    learn(site, value) {
      if (site.depth >= limits.depth) return
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return
      const keys = Object.keys(value)
      if (keys.length === 0 || keys.length > limits.keys || keys.includes('__proto__')) return
      const keyText = JSON.stringify(keys)
      const isShape = site.seen.get(keyText)
      if (isShape) return
      if (isShape === undefined) {
        if (site.seen.size >= limits.shapesOfSite || keyText.length > limits.keyText) return
        if (rest.seen === 0) return
        rest.seen -= 1
        site.seen.set(keyText, false)
        return
      }
      if (rest.shapes === 0 || rest.sites < keys.length) return
      rest.shapes -= 1
      site.seen.set(keyText, true)
      const sites = keys.map(() => createSite(site.depth + 1))
      const shape = generatedShape(keys, sites, cursor, text, readValue)
      if (shape) site.shapes.push(shape)
    },
  }
}

/** Code that names each key. Undefined where no code may be generated. */
function generatedShape(
  keys: readonly string[],
  sites: readonly JsonPath[],
  cursor: Cursor,
  { bytes, words }: TextBytes,
  readValue: ReadValue,
): ReadShape | undefined {
  const reads = keys.map((key, i) => {
    const before = Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(key)}:`)
    return `at = cursor.at
      if (${differs(before)}) return undefined
      cursor.at = at + ${before.length}
      const value${i} = readValue(site${i})`
  })
  const values = keys.map((key, i) => `${JSON.stringify(key)}: value${i}`)
  const code = `return () => {
    let at
    ${reads.join('\n')}
    if (bytes[cursor.at] !== ${'}'.charCodeAt(0)}) return undefined
    cursor.at += 1
    return { ${values.join()} }
  }`
  const names = keys.map((_, i) => `site${i}`)
  try {
    const make = new Function('cursor', 'bytes', 'words', 'readValue', ...names, code)
    return make(cursor, bytes, words, readValue, ...sites)
  } catch {
    return undefined
  }
}

/**
 * Code for whether other bytes are at `at`. It compares four at once. The last four may overlap with the ones before:
 * the shortest text, `{"":`, has four.
 */
function differs(expected: Buffer): string {
  const tests: string[] = []
  for (let i = 0; i < expected.length; i += 4) {
    const from = Math.min(i, expected.length - 4)
    tests.push(`words.getInt32(at + ${from}, true) !== ${expected.readInt32LE(from)}`)
  }
  return tests.join(' || ')
}
