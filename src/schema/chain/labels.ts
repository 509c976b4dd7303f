/** How well something matches a text, the best first. */
export const matches = ['EXACT', 'PREFIX', 'PART'] as const

/** How well something matches a text. */
export type Match = (typeof matches)[number]

/** Stands between labels, so no label has it. */
const border = '\n'

/** A label, or a part of one, as `labelText` writes it. */
export const writtenLabel = (text: string): string => text.toLowerCase().replaceAll(border, ' ')

/** The labels of something as one text in lower case, for `matchIn`. A search reads one text faster than several. */
export const labelText = (labels: readonly (string | null | undefined)[]): string =>
  `${border}${labels.map((label) => writtenLabel(label ?? '')).join(border)}${border}`

/** Returns how well the best label matches a text, in any case. Null if none has the text. */
export function matchIn(text: string): (labels: string) => Match | null {
  const part = writtenLabel(text)
  const prefix = border + part
  const exact = prefix + border
  return (labels) => {
    if (!labels.includes(part)) return null
    if (labels.includes(exact)) return 'EXACT'
    return labels.includes(prefix) ? 'PREFIX' : 'PART'
  }
}
