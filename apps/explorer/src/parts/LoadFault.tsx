import { text } from '../text.ts'

/** What stands in the place of what could not be loaded or shown. */
export const LoadFault = ({ children, onRetry }: { children: string; onRetry: () => void }) => (
  <p class="failed" role="alert">
    <strong>{children}</strong>{' '}
    <button type="button" onClick={onRetry}>
      {text.retry}
    </button>
  </p>
)
