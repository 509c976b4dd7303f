import type { Cache } from './cache.ts'

/** Whether a value may be cached under this key. Call it once for each value. */
export type Admission = (key: string) => boolean

/** Every value is cached in this share of the memory. The rest is for values that are requested again. */
const openShare = 1 / 16

/** Keys that are remembered as asked for once, at most. */
const maxAskedOnce = 2 ** 16

/**
 * Returns the rule that admits values to a cache with `maxBytes`. A client that reads a whole chain requests no value
 * twice: it must neither fill the memory nor push out the values that others repeat. Values that are dropped at once
 * also take V8 far less time: it copies each cached value twice.
 */
export function createAdmission(cache: Pick<Cache<unknown>, 'bytes'>, maxBytes: number): Admission {
  const isAskedAgain = createRepeatCheck()
  return (key) => cache.bytes <= maxBytes * openShare || isAskedAgain(key)
}

/**
 * Returns a check whether a text was checked before, not too long ago. It compares hashes of 32 bits, so
 * that it is seldom wrong, and never holds on to a text.
 */
function createRepeatCheck(): (text: string) => boolean {
  const hashes = new Int32Array(maxAskedOnce)
  return (text) => {
    const hash = hashOf(text)
    const place = hash & (maxAskedOnce - 1)
    const isRepeated = hashes[place] === hash
    hashes[place] = hash
    return isRepeated
  }
}

/** The FNV-1a hash of a text, over its characters. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  return hash
}
