import type { Cache } from './cache.ts'

/** Whether a value may be cached under this key. To be asked once for each value. */
export type Admission = (key: string) => boolean

/** The share of the memory in which every value is cached. Beyond it, only those that are asked for again. */
const openShare = 1 / 16

/** Keys that are remembered as asked for once, at most. */
const maxAskedOnce = 2 ** 16

/**
 * Returns the rule for what enters a cache with `maxBytes`. A client that reads a whole chain never asks for
 * the same twice: it must neither fill the memory nor push out what others repeat. Beside that, values that
 * are dropped at once take V8 far less time than those that are cached: it copies each of these twice.
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
