import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { pasted } from '../../kit/pasted.ts'
import { badInput, GatewayError } from '../upstream/error.ts'
import { timestamp } from '../wire/decode.ts'
import { isLongNumber, parseJson } from '../wire/exactJson.ts'
import { builder } from './builder.ts'

/** An error that graphql-js reports at the argument, with the code that it would not have otherwise. */
const invalidValue = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })

const literalText = (node: ValueNode): unknown =>
  node.kind === Kind.STRING || node.kind === Kind.INT ? node.value : undefined

builder.scalarType('BigInt', {
  specifiedByURL: 'https://www.w3.org/TR/xmlschema-2/#integer',
  description: 'An integer of any size, as a decimal string. Arguments may be integer literals.',
  serialize: (value) => value.toString(),
  parseValue: parseBigInt,
  parseLiteral: (node) => parseBigInt(literalText(node)),
})

function parseBigInt(value: unknown): bigint {
  const text = Number.isSafeInteger(value) || isLongNumber(value) ? String(value) : value
  // 78 digits hold every 256-bit amount.
  if (typeof text === 'string' && /^-?\d{1,78}$/.test(text)) return BigInt(text)
  throw invalidValue('BigInt must be an integer of at most 78 decimal digits, as a string.')
}

builder.scalarType('UInt53', {
  description: 'A whole number from 0 to 2^53 - 1, as a JSON number. Arguments may be decimal strings.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7493#section-2.2',
  serialize: (value) => {
    const number = Number(value)
    if (Number.isSafeInteger(number) && number >= 0) return number
    throw new GatewayError('UPSTREAM_INVALID_RESPONSE', 'A number of the upstream is not between 0 and 2^53 - 1.')
  },
  parseValue: parseUInt53,
  parseLiteral: (node) => parseUInt53(literalText(node)),
})

function parseUInt53(value: unknown): bigint {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (Number.isSafeInteger(number) && Number(number) >= 0) return BigInt(Number(number))
  throw invalidValue('UInt53 must be a whole number from 0 to 2^53 - 1.')
}

builder.scalarType('Decimal', {
  specifiedByURL: 'https://www.w3.org/TR/xmlschema-2/#decimal',
  description: 'An exact decimal number, as a string. Arguments may also be number literals.',
  serialize: (value) => value,
  parseValue: parseDecimal,
  parseLiteral: (node) => parseDecimal(node.kind === Kind.FLOAT ? node.value : literalText(node)),
})

function parseDecimal(value: unknown): string {
  const text = typeof value === 'number' || isLongNumber(value) ? String(value) : value
  const [, sign, whole, fraction] =
    (typeof text === 'string' && /^(-?)(?=\.?\d)(\d{0,78})(?:\.(\d{0,78}))?$/.exec(text)) || []
  if (sign !== undefined) return `${sign}${whole || '0'}${fraction ? `.${fraction}` : ''}`
  throw invalidValue('Decimal must be a decimal number such as 0.5, without an exponent.')
}

builder.scalarType('DateTime', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'A time in UTC, in RFC 3339 with up to nine fractional digits.',
  serialize: (value) => value,
  parseValue: (value) => {
    const parsed = timestamp.safeParse(value)
    if (parsed.success) return parsed.data
    throw invalidValue('DateTime must be in RFC 3339 format, such as 2026-11-23T00:00:00Z.')
  },
})

builder.scalarType('Hash', {
  description:
    'A hash: 64 hex digits. Cosmos: upper case without 0x. EVM: lower case with 0x. Arguments may have any case, with or without 0x.',
  serialize: (value) => value,
  parseValue: (value) => parseText('Hash', value),
})

builder.scalarType('Address', {
  description: 'An account or contract: bech32, hex with 0x, or base58 on Solana. Arguments may have any form.',
  serialize: (value) => value,
  parseValue: (value) => parseText('Address', value),
})

// The form is checked by the fields: an error here would refuse the whole request. Persons paste these texts.
function parseText(scalar: string, value: unknown): string {
  if (typeof value === 'string') return pasted(value)
  throw invalidValue(`${scalar} must be a string.`)
}

builder.scalarType('ChainId', {
  description:
    'A chain id, such as `interwoven-1`, or a number on the EVM: at most 64 letters, digits, dots, dashes and underscores.',
  serialize: (value) => value,
  parseValue: (value) => parseText('ChainId', value),
})

builder.scalarType('Denom', {
  description: 'A base denom, such as `uinit` or `ibc/…`, or the address of a token contract.',
  serialize: (value) => value,
  parseValue: (value) => parseText('Denom', value),
})

builder.scalarType('Hex', {
  description: 'Bytes in hex, as the chain writes them: with 0x on the EVM, without 0x elsewhere.',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value === 'string' && /^(0x)?([0-9a-f]{2})*$/i.test(value)) return value
    throw invalidValue('Hex must be bytes in hex: an even number of digits.')
  },
})

builder.scalarType('URL', {
  description: 'A URL of an upstream. Check its scheme before use.',
  specifiedByURL: 'https://url.spec.whatwg.org/',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value === 'string' && URL.canParse(value)) return value
    throw invalidValue('URL must be an absolute URL.')
  },
})

builder.scalarType('JSON', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  description: 'JSON as the upstream returns it.',
  serialize: (value) => {
    assertDepth(value, 64)
    return value
  },
  parseValue: (value) => value,
  parseLiteral: (node, variables) => toJson(node, variables),
})

type Variables = Parameters<typeof valueFromASTUntyped>[1]

/** The JSON value of a literal. Its numbers keep all their digits. */
function toJson(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return parseJson(node.value)
    case Kind.LIST:
      return node.values.map((item) => toJson(item, variables))
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, toJson(value, variables)]))
    default:
      return valueFromASTUntyped(node, variables)
  }
}

// JSON.stringify overflows the stack on nested values that JSON.parse reads without an error.
function assertDepth(value: unknown, left: number): void {
  if (typeof value !== 'object' || value === null) return
  if (left === 0) {
    throw new GatewayError('UPSTREAM_INVALID_RESPONSE', 'A JSON value of the upstream is nested too deeply.')
  }
  for (const inner of Object.values(value)) assertDepth(inner, left - 1)
}

/** The hash as Cosmos endpoints and node IDs write it: upper case, without 0x. */
export const nativeHash = (hash: string): string => hash.replace(/^0x/i, '').toUpperCase()

/** The hash as EVM endpoints and node IDs write it: lower case with `0x`. */
export const evmHash = (hash: string): string => `0x${hash.replace(/^0x/i, '').toLowerCase()}`

/** A hash from an argument. Throws `BAD_USER_INPUT` unless it is 64 hex digits, with or without 0x. */
export function checkHash(hash: string): string {
  if (/^(0x)?[0-9a-f]{64}$/i.test(hash)) return hash
  throw badInput('A hash must be 64 hex digits, with or without 0x.', 'INVALID_HASH')
}

/** A height from an argument. Throws `BAD_USER_INPUT` outside 1 to 2^53 - 1. */
export function checkHeight(height: bigint): bigint {
  if (height >= 1n && height < 2n ** 53n) return height
  throw badInput('A height must be between 1 and 2^53 - 1.')
}
