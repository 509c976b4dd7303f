// Texts of chains can be of any length, and have characters that hide or reorder what stands around them.

/** Control, format (bidi marks among them), unassigned and private characters, and separators of lines. */
const hidden = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu

/**
 * A text of a chain that can stand in a line: without hidden characters, with at most two marks on a letter, on one
 * line, and cut to `max` characters.
 */
export function cleanText(text: string, max: number): string {
  // Four UTF-16 units hold a character and its marks. The rest is cut before the slower steps below.
  const plain = text
    .slice(0, 8 * max)
    .replace(/\s+/g, ' ')
    .replace(hidden, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim()
  const characters = [...plain]
  if (characters.length <= max) return plain
  return `${characters.slice(0, max - 1).join('')}…`
}

/** A long identifier by its beginning and its end. The prefix of a bech32 address stays whole. */
export function shortText(text: string, head: number, tail: number): string {
  const clean = cleanText(text, 300)
  const prefix = /^[a-z]{1,20}1(?=[02-9ac-hj-np-z]{20})|^0x/.exec(clean)?.[0] ?? ''
  const characters = [...clean]
  if (characters.length <= prefix.length + head + tail + 1) return clean
  const start = characters.slice(0, prefix.length + head).join('')
  return `${start}…${characters.slice(-tail).join('')}`
}
