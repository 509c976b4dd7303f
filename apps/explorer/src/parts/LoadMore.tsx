import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../text.ts'
import { FaultNote } from './FaultNote.tsx'

/** The end of a list. It loads the next page when it is pressed, and when it comes near unless that is switched off. */
export function LoadMore({
  loadMore,
  hasMore,
  isAuto = true,
}: {
  loadMore: () => Promise<void>
  hasMore: boolean
  isAuto?: boolean
}) {
  const button = useRef<HTMLButtonElement>(null)
  const [isLoading, setLoading] = useState(false)
  const [error, setError] = useState<Error>()
  const next = () => {
    if (isLoading) return
    setLoading(true)
    setError(undefined)
    loadMore()
      .catch(setError)
      .finally(() => setLoading(false))
  }
  const latest = useRef(next)
  latest.current = next
  useEffect(() => {
    const end = button.current
    if (!end || error || !isAuto) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: '300px',
    })
    observer.observe(end)
    return () => observer.disconnect()
  }, [hasMore, isLoading, error, isAuto])
  if (!hasMore) return null
  return (
    <>
      <FaultNote error={error} />
      <button type="button" class="load-more" ref={button} onClick={next} disabled={isLoading}>
        {isLoading ? `${text.loading}…` : text.more}
      </button>
    </>
  )
}
