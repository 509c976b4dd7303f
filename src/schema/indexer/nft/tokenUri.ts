/**
 * A URI with the id of its token in place of `{id}`, as ERC-1155 asks: 64 hex digits in lower case. Unchanged for an id
 * that is no number of 256 bits.
 */
export function withTokenId(uri: string, tokenId: string): string {
  const digits = /^\d{1,78}$/.test(tokenId) ? BigInt(tokenId).toString(16).padStart(64, '0') : ''
  return digits.length === 64 ? uri.replace(/\{id\}|%7bid%7d/gi, digits) : uri
}
