import type { ComponentChildren } from 'preact'
import { outside } from '../app/links.ts'

/** A link that leads out of the explorer. Plain text if it is not safe to follow. */
export function OutsideLink({ href, children }: { href?: string | null; children: ComponentChildren }) {
  const safe = outside(href)
  if (!safe) return <bdi>{children}</bdi>
  return (
    <a href={safe} rel="noopener noreferrer nofollow" target="_blank">
      <bdi>{children}</bdi>
    </a>
  )
}
