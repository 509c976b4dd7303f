import type { HooksIo } from './io.ts'

/** The longest timer of Node, in milliseconds: a longer one would run at once. */
const longestTimer = 2 ** 31 - 1

/** The clock and the signals of this process. */
export function systemIo(): HooksIo {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const after: HooksIo['after'] = (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, longestTimer))
    return () => clearTimeout(timer)
  }
  return {
    ...{ after, now: Date.now, random: Math.random, signal: stop.signal },
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        const signals = signal ? [stop.signal, signal] : [stop.signal]
        const cancel = after(milliseconds, done)
        function done() {
          cancel()
          for (const each of signals) each.removeEventListener('abort', done)
          resolve()
        }
        for (const each of signals) each.addEventListener('abort', done)
        if (signals.some(({ aborted }) => aborted)) done()
      }),
    log: (line) => void process.stderr.write(`${line}\n`),
  }
}
