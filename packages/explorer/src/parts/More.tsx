import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../text.ts'
import { Failed } from './Failed.tsx'

/** The end of a list. It loads the next page when it comes near, or when it is pressed. */
export function More({ load, hasMore }: { load: () => Promise<void>; hasMore: boolean }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isLoading, setLoading] = useState(false)
  const [error, setError] = useState<Error>()
  const next = () => {
    if (isLoading) return
    setLoading(true)
    setError(undefined)
    load()
      .catch(setError)
      .finally(() => setLoading(false))
  }
  const latest = useRef(next)
  latest.current = next
  useEffect(() => {
    const end = button.current
    if (!end || error) return
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && latest.current(),
      { rootMargin: '300px' },
    )
    observer.observe(end)
    return () => observer.disconnect()
  }, [hasMore, isLoading, error])
  if (!hasMore) return null
  return (
    <>
      <Failed error={error} />
      <button type="button" class="more" ref={button} onClick={next} disabled={isLoading}>
        {isLoading ? `${text.loading}…` : text.more}
      </button>
    </>
  )
}
