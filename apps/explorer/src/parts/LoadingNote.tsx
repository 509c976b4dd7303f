import { text } from '../text.ts'

export const LoadingNote = () => (
  <p class="waiting" aria-busy="true">
    {text.loading}…
  </p>
)
