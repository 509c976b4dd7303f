// Chance that depends on a seed alone, so that a run can be repeated.

/** Makes choices by a seed (mulberry32). */
export function createChance(seed) {
  let state = seed | 0
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    random,
    isTrue: (share) => random() < share,
    below: (count) => Math.floor(random() * count),
    pick: (items) => items[Math.floor(random() * items.length)],
  }
}
