import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'

/** The present time in milliseconds, as the pages show it: by the second, and by the minute. */
const Second = createContext(Date.now())
const Minute = createContext(Date.now())
export const useNow = (): number => useContext(Second)
export const useMinute = (): number => useContext(Minute)

const minute = 60_000

/** Lets the time go on each second while the page is seen. Only what shows the time is drawn anew. */
export function Ticks({ children }: { children: ComponentChildren }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now())
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Second.Provider value={now}>
      <Minute.Provider value={now - (now % minute)}>{children}</Minute.Provider>
    </Second.Provider>
  )
}
