import { useEffect, useState } from 'preact/hooks'

/** The screens on which two panels do not fit beside each other, nor one above a list without an end. */
const narrow = '(max-width: 60rem)'

/** Whether the screen is narrow. It follows the size of the window. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches)
  useEffect(() => {
    const media = matchMedia(narrow)
    const follow = () => setNarrow(media.matches)
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [])
  return isNarrow
}
