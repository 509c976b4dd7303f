import { useEffect, useRef, useState } from 'preact/hooks'
import { maxAsks, waitOf } from './retries.ts'

/**
 * Asks again for a record that nobody knows yet: after four seconds, then with waits that double up to a minute. It stops
 * after `maxAsks`. Returns when it is asked next, in milliseconds since 1970, or undefined when it is not.
 */
export function useAsking(isMissing: boolean, readAt: number | undefined, ask: () => void) {
  const asks = useRef(0)
  const [next, setNext] = useState<number>()
  useEffect(() => {
    if (!isMissing || asks.current >= maxAsks) {
      setNext(undefined)
      return
    }
    const wait = waitOf(asks.current++)
    setNext(Date.now() + wait)
    const timer = setTimeout(ask, wait)
    return () => clearTimeout(timer)
  }, [isMissing, readAt])
  return {
    next,
    askAgain() {
      asks.current = 0
      ask()
    },
  }
}
