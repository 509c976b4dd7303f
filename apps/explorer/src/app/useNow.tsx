import { type ComponentChildren, createContext } from 'preact'
import { useSyncExternalStore } from 'preact/compat'
import { useContext, useEffect, useState } from 'preact/hooks'
import { ageOf } from '../values/format.ts'

/** The present time as the pages show it: one for all of them, which goes on each second. */
export interface Clock {
  readonly now: () => number
  /** Calls back after each second until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void
  readonly tick: () => void
}

/** A clock that stands still between its ticks, so that all ages of a page are those of one moment. */
export function createClock(read: () => number): Clock {
  const listeners = new Set<() => void>()
  let now = read()
  return {
    now: () => now,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tick() {
      now = read()
      for (const listener of listeners) listener()
    },
  }
}

const ClockContext = createContext<Clock | undefined>(undefined)

function useClock(): Clock {
  const clock = useContext(ClockContext)
  if (!clock) throw new Error('There is no clock around this part of the page.')
  return clock
}

/** The present time in milliseconds, anew each second. */
export function useNow(): number {
  const { subscribe, now } = useClock()
  return useSyncExternalStore(subscribe, now)
}

/** How many seconds ago a time was, to the unit that is shown: few of a long list are drawn anew each second. */
export function useAge(time: string): number {
  const { subscribe, now } = useClock()
  return useSyncExternalStore(subscribe, () => ageOf(time, now()))
}

/** Lets the time go on each second while the page is seen, and at once when it is seen again. */
export function ClockProvider({ children }: { children: ComponentChildren }) {
  const [clock] = useState(() => createClock(Date.now))
  useEffect(() => {
    const tick = () => document.hidden || clock.tick()
    const timer = setInterval(tick, 1_000)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [clock])
  return <ClockContext.Provider value={clock}>{children}</ClockContext.Provider>
}
