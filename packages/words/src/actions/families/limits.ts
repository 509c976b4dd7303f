import type { Piece } from '../action.ts'
import { coinsIn, type Fields, fieldsOf, fieldText, itemsOf } from '../fields.ts'
import { coins, overIbc, withAddress } from '../sentence.ts'

// What an account may do for another one, and how far: a wallet has to show it before and after it is signed.

/** The last part of a type, such as `MsgSend`. */
export const typeName = (type: string): Piece => ({ id: type.split('.').at(-1) ?? type })

/** Up to this many coins. Nothing if there is no limit. */
const upTo = (value: unknown): readonly Piece[] => {
  const amounts = value ? coinsIn(value) : []
  return amounts.length > 0 ? [' up to ', coins(amounts)] : []
}

const count = (value: unknown, one: string, many: string): readonly Piece[] => {
  const { length } = itemsOf(value)
  return length === 0 ? [] : [length === 1 ? ` 1 ${one}` : ` ${length} ${many}`]
}

/** A time as its day in UTC. Nothing for any other text. */
export function until(value: unknown): readonly Piece[] {
  const day = typeof value === 'string' && /^(\d{4}-\d\d-\d\d)T/.exec(value)?.[1]
  return day ? [` until ${day}`] : []
}

/** The words for an authorization by the name of its type. Those of other modules are named by their type. */
const authorizations: Readonly<Record<string, (fields: Fields) => readonly Piece[]>> = {
  GenericAuthorization: (fields) => ['execute ', typeName(fieldText(fields, 'msg') ?? 'messages')],
  SendAuthorization: ({ spend_limit, allow_list }) => [
    'send',
    ...withDefault(upTo(spend_limit), ' coins'),
    ...prefixed(' to', count(allow_list, 'account', 'accounts')),
  ],
  StakeAuthorization: (fields) => [
    stakeVerbs[fieldText(fields, 'authorization_type') ?? ''] ?? 'delegate',
    ...withDefault(upTo(fields.max_tokens), ' coins'),
    ...prefixed(' at', count(fieldsOf(fields.allow_list).address, 'validator', 'validators')),
    ...prefixed(' not at', count(fieldsOf(fields.deny_list).address, 'validator', 'validators')),
  ],
  TransferAuthorization: ({ allocations }) => {
    const [first, ...others] = itemsOf(allocations).map(fieldsOf)
    if (!first || others.length > 0) {
      return ['send coins over IBC', ...prefixed(' by', count(allocations, 'channel', 'channels'))]
    }
    return [
      'send',
      ...withDefault(upTo(first.spend_limit), ' coins'),
      ...overIbc(fieldText(first, 'source_channel')),
      ...prefixed(' to', count(first.allow_list, 'account', 'accounts')),
    ]
  },
  ContractExecutionAuthorization: ({ grants }) => contractsIn('call', grants),
  ContractMigrationAuthorization: ({ grants }) => contractsIn('migrate', grants),
}

const stakeVerbs: Readonly<Record<string, string>> = {
  ...{ '1': 'delegate', AUTHORIZATION_TYPE_DELEGATE: 'delegate' },
  ...{ '2': 'undelegate', AUTHORIZATION_TYPE_UNDELEGATE: 'undelegate' },
  ...{ '3': 'redelegate', AUTHORIZATION_TYPE_REDELEGATE: 'redelegate' },
}

const withDefault = (pieces: readonly Piece[], otherwise: string): readonly Piece[] =>
  pieces.length > 0 ? pieces : [otherwise]

const prefixed = (word: string, pieces: readonly Piece[]): readonly Piece[] =>
  pieces.length > 0 ? [word, ...pieces] : []

/** Calls of contracts, with the coins that one may be called with. */
function contractsIn(verb: string, grants: unknown): readonly Piece[] {
  const [first, ...others] = itemsOf(grants).map(fieldsOf)
  if (!first || others.length > 0) return [verb, ...withDefault(count(grants, 'contract', 'contracts'), ' contracts')]
  const { amounts } = fieldsOf(first.limit)
  return [verb, ...withAddress('', fieldText(first, 'contract')), ...prefixed(' with', upTo(amounts))]
}

/** What an authorization allows, such as `send up to 5 INIT`. */
export function authorizedWork(authorization: Fields): readonly Piece[] {
  const type = fieldText(authorization, '@type') ?? ''
  const name = type.split('.').at(-1) ?? ''
  const read = Object.hasOwn(authorizations, name) ? authorizations[name] : undefined
  if (read) return read(authorization)
  const message = fieldText(authorization, 'msg')
  if (message) return ['execute ', typeName(message)]
  return name ? ['execute messages under ', typeName(type)] : ['execute messages']
}

/** What a fee allowance allows, behind its name. An allowance can have another one inside. */
export function allowedFees(allowance: Fields, depth = 0): readonly Piece[] {
  const { basic, allowance: inner, allowed_messages: messages, allowed_address: contracts } = allowance
  if (inner && depth < maxDepth) {
    return [
      ...allowedFees(fieldsOf(inner), depth + 1),
      ...prefixed(' for', count(messages, 'type of message', 'types of messages')),
      ...prefixed(' for', count(contracts, 'contract', 'contracts')),
    ]
  }
  const { spend_limit, expiration } = basic ? fieldsOf(basic) : allowance
  const perPeriod = upTo(allowance.period_spend_limit)
  return [
    ...prefixed(' of', upTo(spend_limit)),
    ...(perPeriod.length > 0 ? [',', ...perPeriod, ...periodOf(allowance)] : []),
    ...until(expiration),
  ]
}

/** Allowances inside of others are read so deep. Chains have two. */
const maxDepth = 3

/** A period of whole hours or days, such as `86400s`. */
function periodOf(allowance: Fields): readonly Piece[] {
  const seconds = Number(/^(\d{1,9})s$/.exec(fieldText(allowance, 'period') ?? '')?.[1] ?? 0)
  if (seconds === 0) return [' in each period']
  const hours = seconds / 3_600
  if (!Number.isInteger(hours)) return [` every ${seconds} seconds`]
  if (hours % 24 === 0) return [hours === 24 ? ' a day' : ` every ${hours / 24} days`]
  return [hours === 1 ? ' an hour' : ` every ${hours} hours`]
}
