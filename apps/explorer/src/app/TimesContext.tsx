import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'

/** How the times of lists are written. */
export type TimesAs = 'ages' | 'dates'

const key = 'portolan:times'

interface Times {
  readonly as: TimesAs
  readonly toggle: () => void
}

const TimesContext = createContext<Times>({ as: 'ages', toggle: () => {} })

export const useTimes = () => useContext(TimesContext)

/** What a browser has kept. Anything else means ages. */
export const timesOf = (kept: string | null): TimesAs => (kept === 'dates' ? 'dates' : 'ages')

function read(): TimesAs {
  try {
    return timesOf(localStorage.getItem(key))
  } catch {
    return 'ages'
  }
}

/** Lets the reader choose between ages and dates, for all lists and for later visits. */
export function TimesProvider({ children }: { children: ComponentChildren }) {
  const [as, setAs] = useState(read)
  // The style sheet gives dates more room.
  document.documentElement.dataset.times = as
  useEffect(() => {
    // Another tab has changed it.
    const update = (event: StorageEvent) => event.key === key && setAs(read())
    addEventListener('storage', update)
    return () => removeEventListener('storage', update)
  }, [])
  const toggle = () => {
    const next = as === 'ages' ? 'dates' : 'ages'
    setAs(next)
    try {
      localStorage.setItem(key, next)
    } catch {
      // The browser keeps nothing: the choice holds until the page is closed.
    }
  }
  return <TimesContext.Provider value={{ as, toggle }}>{children}</TimesContext.Provider>
}
