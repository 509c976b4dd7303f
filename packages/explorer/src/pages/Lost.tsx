import { links } from '../app/links.ts'
import { Short } from '../parts/text.tsx'
import { text } from '../text.ts'

/** A path that is none of a page. */
export const Lost = () => (
  <>
    <h1>{text.notFound}</h1>
    <p>
      {text.notFoundHint} <a href={links.home()}>{text.home}</a>
    </p>
  </>
)

/** A record that does not exist. */
export const Missing = ({ what, value, hint }: { what: string; value: string; hint?: string }) => (
  <p class="nothing">
    {what} <Short value={value} /> {text.noRecord} {hint}{' '}
    <a href={links.search(value)}>{text.searchLabel}</a>
  </p>
)
