/** Milliseconds since 1970 at time 0 of the virtual clock. */
const epoch = Date.UTC(2026, 0, 1)

/**
 * A clock that jumps from timer to timer, in whole milliseconds. `run` moves it on; everything that promises do
 * in between is done before the next jump.
 */
export function createVirtualClock() {
  let now = 0
  /** What is due at each time. */
  const due = new Map()
  /** The times, as a binary heap: the earliest is first. */
  const times = []

  const less = (a, b) => times[a] < times[b]
  const swap = (a, b) => {
    ;[times[a], times[b]] = [times[b], times[a]]
  }
  const addTime = (time) => {
    let at = times.push(time) - 1
    while (at > 0 && less(at, (at - 1) >> 1)) {
      swap(at, (at - 1) >> 1)
      at = (at - 1) >> 1
    }
  }
  const removeFirstTime = () => {
    const last = times.pop()
    if (times.length === 0) return
    times[0] = last
    for (let at = 0; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < times.length && less(child, least)) least = child
      }
      if (least === at) return
      swap(at, least)
      at = least
    }
  }

  return {
    now: () => now,
    date: () => epoch + now,
    after(milliseconds, run) {
      const at = Math.ceil(now + Math.max(0, milliseconds))
      if (!Number.isFinite(at)) return () => {}
      const timer = { run }
      const timers = due.get(at)
      if (timers) timers.push(timer)
      else {
        due.set(at, [timer])
        addTime(at)
      }
      return () => {
        timer.run = () => {}
      }
    },
    async run(milliseconds) {
      const end = now + milliseconds
      while (times.length > 0 && times[0] <= end) {
        now = times[0]
        const timers = due.get(now)
        // Timers that these start for now are added to the list.
        for (let index = 0; index < timers.length; ) {
          while (index < timers.length) {
            timers[index].run()
            index += 1
          }
          await new Promise(setImmediate)
        }
        due.delete(now)
        removeFirstTime()
      }
      now = end
    },
  }
}

/** Numbers from 0 up to, but not including, 1, of a sequence that the seed determines. */
export function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
