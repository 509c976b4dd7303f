import { bech32, bech32m } from '@scure/base'
import { GraphQLError, Kind, type ValueNode } from 'graphql'
import { badInput, GatewayError } from '../upstream/error.ts'
import { builder } from './builder.ts'

/** A refusal that graphql-js reports at the argument, with the code it would otherwise not have. */
const refuse = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })

const literalText = (node: ValueNode): unknown =>
  node.kind === Kind.STRING || node.kind === Kind.INT ? node.value : undefined

builder.scalarType('BigInt', {
  description:
    'A whole number of any size, as a decimal string: heights, gas and amounts in base units. Arguments may also be integer literals.',
  serialize: (value) => value.toString(),
  parseValue: parseBigInt,
  parseLiteral: (node) => parseBigInt(literalText(node)),
})

function parseBigInt(value: unknown): bigint {
  const text = Number.isSafeInteger(value) ? String(value) : value
  // 78 digits hold every 256-bit amount.
  if (typeof text === 'string' && /^-?\d{1,78}$/.test(text)) return BigInt(text)
  throw refuse('BigInt takes a decimal whole number of at most 78 digits, best as a string.')
}

builder.scalarType('Decimal', {
  description:
    'A decimal number as text, exact to its last digit. Arguments may also be number literals.',
  serialize: (value) => value,
  parseValue: parseDecimal,
  parseLiteral: (node) => parseDecimal(node.kind === Kind.FLOAT ? node.value : literalText(node)),
})

function parseDecimal(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && /^-?\d{1,78}(\.\d{1,78})?$/.test(text)) return text
  throw refuse('Decimal takes a decimal number such as 0.5, without an exponent.')
}

builder.scalarType('DateTime', {
  description: 'A moment in UTC, as RFC 3339 text with up to nine digits below the second.',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value
    throw refuse('DateTime takes a moment in RFC 3339 form.')
  },
})

builder.scalarType('Hash', {
  description:
    'The hash of a block or transaction: 64 hex digits. Chain-native hashes are given in upper case, EVM hashes with 0x in lower case; arguments take any case, with or without 0x.',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value === 'string' && /^(0x)?[0-9a-f]{64}$/i.test(value)) return value
    throw refuse('Hash takes 64 hex digits, with or without 0x.')
  },
})

builder.scalarType('Address', {
  description:
    'An account or contract: bech32 with a valid checksum, or hex with 0x. Arguments take either form in any case.',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value === 'string' && isAddress(value)) return value.toLowerCase()
    throw refuse('Address takes bech32 with a valid checksum, or 1 to 64 hex digits after 0x.')
  },
})

builder.scalarType('Hex', {
  description: 'Bytes in hex, as the chain writes them: with 0x on the EVM, without elsewhere.',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value === 'string' && /^(0x)?([0-9a-f]{2})*$/i.test(value)) return value
    throw refuse('Hex takes whole bytes in hex.')
  },
})

builder.scalarType('JSON', {
  description:
    'A JSON value the gateway hands on as it came, its shape owned by a chain or bridge.',
  serialize: (value) => {
    assertDepth(value, 64)
    return value
  },
})

/** True for bech32 with a checksum that holds, and for hex of up to 32 bytes after `0x`. */
export const isAddress = (text: string): boolean =>
  /^0x[0-9a-f]{1,64}$/i.test(text) || bech32Of(text) !== undefined

/** The prefix and bytes of a bech32 or bech32m address; undefined when the checksum fails. */
export function bech32Of(text: string): { prefix: string; bytes: Uint8Array } | undefined {
  const parsed = bech32.decodeUnsafe(text, 90) ?? bech32m.decodeUnsafe(text, 90)
  const bytes = parsed && bech32.fromWordsUnsafe(parsed.words)
  return bytes ? { prefix: parsed.prefix, bytes } : undefined
}

// JSON.stringify overflows the stack on what JSON.parse took without complaint.
function assertDepth(value: unknown, left: number): void {
  if (typeof value !== 'object' || value === null) return
  if (left === 0) {
    throw new GatewayError('UPSTREAM_INVALID_RESPONSE', 'A JSON body is nested too deeply.')
  }
  for (const inner of Object.values(value)) assertDepth(inner, left - 1)
}

/** The hash as chain-native endpoints and ids write it: upper case, no prefix. */
export const nativeHash = (hash: string): string => hash.replace(/^0x/i, '').toUpperCase()

/** The hash as EVM endpoints and ids write it: lower case with `0x`. */
export const evmHash = (hash: string): string => `0x${hash.replace(/^0x/i, '').toLowerCase()}`

/** A height from an argument. Throws `BAD_USER_INPUT` outside 1 to 2^63 - 1. */
export function checkHeight(height: bigint): bigint {
  if (height >= 1n && height < 2n ** 63n) return height
  throw badInput('A height is a whole number from 1 up.')
}
