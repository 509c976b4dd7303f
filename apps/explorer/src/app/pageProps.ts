import type { Place } from './pages.ts'

/** What each page gets: what its path names. */
export interface PageProps {
  readonly place: Place
}
