import { useState } from 'preact/hooks'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const key = 'portolan:theme'

/** The theme that the reader chose, and a function that chooses the next one. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find((one) => one === document.documentElement.dataset.theme) ?? 'auto',
  )
  const next = () => {
    const chosen = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto'
    if (chosen === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = chosen
    try {
      if (chosen === 'auto') localStorage.removeItem(key)
      else localStorage.setItem(key, chosen)
    } catch {
      // The browser keeps nothing.
    }
    setTheme(chosen)
  }
  return [theme, next]
}
