import { links } from '../app/links.ts'
import { Short } from '../parts/text.tsx'
import { text } from '../text.ts'

/** A path that is none of a page. */
export const Lost = () => (
  <>
    <h1>{text.notFound}</h1>
    <p>
      {text.notFoundHint} <a href={links.home()}>{text.title}</a>
    </p>
  </>
)

/** A record that does not exist. */
export const Missing = ({ what, value }: { what: string; value: string }) => (
  <p class="nothing">
    {what} <Short value={value} />: {text.noRecord}{' '}
    <a href={links.search(value)}>{text.searchLabel}</a>
  </p>
)
