import { ChainText } from './ChainText.tsx'

/**
 * A long text. Where it has no room, the style hides its middle behind an ellipsis. All of it stays one run of text, so
 * that it can be selected, copied, and found by the search of the browser.
 */
export function MiddleEllipsis({ value }: { value: string }) {
  if (value.length <= fits) return <ChainText>{value}</ChainText>
  const { head, headExtra, middle, tailExtra, tail } = cutText(value)
  return (
    <bdi class={value.length > wraps ? 'middle-ellipsis endless' : 'middle-ellipsis'} title={value.slice(0, wraps)}>
      {head}
      <span class="extra">{headExtra}</span>
      <span class="middle">{middle}</span>
      <span class="extra">{tailExtra}</span>
      {tail}
    </bdi>
  )
}

/** What tells nothing of an address, such as `init1`, `0x` and `ibc/`. */
const prefix = /^(0x|[a-z]{1,20}1(?=[02-9ac-hj-np-z]{8})|[\da-z]{1,12}\/)/i

/** A text as it is cut: a phone hides the extras too, and keeps four characters after the prefix and at the end. */
export function cutText(value: string) {
  const { length } = prefix.exec(value)?.[0] ?? ''
  const start = length + 10 <= value.length ? length : 0
  const at = [start + 4, Math.max(10, start + 4), value.length - 6, value.length - 4]
  const [first = 0, second = 0, third = 0, fourth = 0] = at.map((index) => wholeAt(value, index))
  return {
    head: value.slice(0, first),
    headExtra: value.slice(first, second),
    middle: value.slice(second, third),
    tailExtra: value.slice(third, fourth),
    tail: value.slice(fourth),
  }
}

/** Characters that always have room. */
const fits = 17
/** Characters that may take more than one line where a text stands alone. */
const wraps = 160

/** An index at which a text can be cut without cutting a character. */
const wholeAt = (value: string, at: number): number => (/[\udc00-\udfff]/.test(value[at] ?? '') ? at + 1 : at)
