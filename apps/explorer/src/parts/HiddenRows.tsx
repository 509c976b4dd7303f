import { text } from '../text.ts'

/** How many rows of a list are hidden, and a button that shows them. */
export const HiddenRows = ({ count, onShow }: { count: number; onShow: () => void }) =>
  count > 0 ? (
    <p class="note hidden-rows">
      {text.hidden(count)}{' '}
      <button type="button" onClick={onShow}>
        {text.showHidden}
      </button>
    </p>
  ) : null
