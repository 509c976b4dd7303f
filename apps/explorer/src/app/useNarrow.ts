import { useEffect, useState } from 'preact/hooks'

/** Rems below which two panels do not fit beside each other, nor one above a list without an end. */
const twoPanels = 60

/** Rems of a phone, as the style sheet has them. */
export const phone = 40

/** Whether the screen is at most as wide as a number of rems. It follows the size of the window. */
export function useNarrow(rems = twoPanels): boolean {
  const query = `(max-width: ${rems}rem)`
  const [isNarrow, setNarrow] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const follow = () => setNarrow(media.matches)
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [query])
  return isNarrow
}
