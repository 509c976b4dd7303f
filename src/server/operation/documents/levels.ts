import { type DocumentNode, TokenKind } from 'graphql'

const opening = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** How many levels the braces and brackets of a document nest: the sum over its definitions, since fragments nest in each other. */
export function levelsOf({ loc }: DocumentNode): number {
  let sum = 0
  let level = 0
  let deepest = 0
  for (let token = loc?.startToken ?? null; token; token = token.next) {
    if (opening.has(token.kind)) {
      level += 1
      deepest = Math.max(deepest, level)
    } else if (closing.has(token.kind)) {
      level -= 1
      if (level > 0) continue
      sum += deepest
      deepest = 0
    }
  }
  return sum
}
