import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'

/** The present time in milliseconds, as the pages show it. */
export const Now = createContext(Date.now())
export const useNow = (): number => useContext(Now)

/** A time that goes on each second while the page is seen. */
export function useTicks(): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now())
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
