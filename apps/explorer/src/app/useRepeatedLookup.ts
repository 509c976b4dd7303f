import { useEffect, useRef, useState } from 'preact/hooks'

const firstWait = 4_000
const maxWait = 60_000

/** The most lookups of one record, which take about eight minutes. */
const maxAsks = 10

/**
 * Asks again for a record that nobody knows yet: after four seconds, then with waits that double up to a minute. It stops
 * after `maxAsks`. Returns when it is asked next, in milliseconds since 1970, or undefined when it is not.
 */
export function useRepeatedLookup(isMissing: boolean, loadedAt: number | undefined, ask: () => void) {
  const asks = useRef(0)
  const [next, setNext] = useState<number>()
  useEffect(() => {
    if (!isMissing || asks.current >= maxAsks) {
      setNext(undefined)
      return
    }
    const wait = Math.min(maxWait, firstWait * 2 ** asks.current++)
    setNext(Date.now() + wait)
    const timer = setTimeout(ask, wait)
    return () => clearTimeout(timer)
  }, [isMissing, loadedAt])
  return {
    next,
    askAgain() {
      asks.current = 0
      ask()
    },
  }
}
