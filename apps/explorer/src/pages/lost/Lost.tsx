import { links } from '../../app/links.ts'
import { text } from '../../text.ts'

/** A path that is none of a page. */
export const Lost = () => (
  <>
    <h1>{text.notFound}</h1>
    <p>
      {text.notFoundHint} <a href={links.home()}>{text.home}</a>
    </p>
  </>
)
