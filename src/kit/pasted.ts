/** What no eye sees: marks of direction, soft hyphens, and spaces and joiners without width. Controls are no part of what is pasted. */
const unseen = /(?![\p{Join_Control}\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}/gu

/** Joiners and selectors, except beside letters and pictures that are drawn otherwise with them. */
const idleJoiners = /(?<![^\0-\x7f])[\p{Join_Control}\p{Variation_Selector}]+|\p{Join_Control}+(?![^\0-\x7f])/gu

/**
 * A text as the person who pasted it sees it: without invisible characters, also inside it, with plain spaces for others, and
 * without spaces around it. Tabs and line breaks stay, as other controls do. Names keep the joiners of their script and of emoji.
 */
export const pasted = (text: string): string =>
  text
    .replace(unseen, '')
    .replace(idleJoiners, '')
    .replace(/\p{Zs}+/gu, ' ')
    .replace(/^ | $/g, '')
