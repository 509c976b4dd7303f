import type { HooksIo } from './io.ts'

/** The clock and the signals of this process. */
export function systemIo(): HooksIo {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const after: HooksIo['after'] = (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  }
  return {
    ...{ after, now: Date.now, random: Math.random, signal: stop.signal },
    wait: (milliseconds) =>
      new Promise((resolve) => {
        const cancel = after(milliseconds, done)
        function done() {
          cancel()
          stop.signal.removeEventListener('abort', done)
          resolve()
        }
        stop.signal.addEventListener('abort', done)
        if (stop.signal.aborted) done()
      }),
    log: (line) => void process.stderr.write(`${line}\n`),
  }
}
