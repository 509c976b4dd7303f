import {
  type GraphQLArgument,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../../src/schema/schema.ts'

// What clients rely on when they meet a field that they do not know.

type Member = Pick<GraphQLArgument, 'name' | 'type' | 'description' | 'defaultValue'> & {
  readonly path: string
  readonly owner: GraphQLNamedType
}

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))

/** All fields, arguments and fields of inputs. */
const members = types.flatMap((owner): Member[] => {
  if (!isObjectType(owner) && !isInterfaceType(owner) && !isInputObjectType(owner)) return []
  return Object.values(owner.getFields()).flatMap((field) => {
    const path = `${owner.name}.${field.name}`
    const args: readonly GraphQLArgument[] = 'args' in field ? field.args : []
    const own = { ...field, defaultValue: undefined, path, owner }
    return [own, ...args.map((arg) => ({ ...arg, path: `${path}(${arg.name}:)`, owner }))]
  })
})
const isField = ({ path }: Member) => !path.includes('(')
const typeOf = ({ type }: Member) => getNamedType(type).name
const named = (pattern: RegExp) => members.filter(({ name }) => pattern.test(name))
const offenders = (list: readonly Member[], isFine: (member: Member) => boolean) =>
  list.filter((member) => !isFine(member)).map((member) => `${member.path}: ${member.type}`)

test('descriptions of cursors name the next and previous pages', () => {
  const texts = (name: string) => [
    ...new Set(members.filter((member) => member.name === name).map((m) => m.description)),
  ]
  expect(texts('endCursor')).toEqual([expect.stringContaining('`after` to get the next page')])
  expect(texts('startCursor')).toEqual([expect.stringContaining('`before` to get the previous page')])
  expect(texts('before')).toEqual(['Records before this cursor.'])
  expect(texts('after')).toContain('Records after this cursor.')
  for (const text of ['before', 'after', 'startCursor', 'endCursor', 'cursor'].flatMap(texts)) {
    expect(text).not.toMatch(/\bahead\b|\bthe page behind\b/)
  }
})

describe('fields of one meaning have one type', () => {
  test.each([
    [/^chainIds?$|ChainIds?$/, 'ChainId'],
    [/^denoms?$|Denoms?$|^denom(In|Out)$/, 'Denom'],
    [/^address(es)?$|Address(es)?$/, 'Address'],
    [/Urls?$/, 'URL'],
    [/^amount(In|Out)?$/, 'BigInt'],
    [/^(formatted\w*|usd(Price|Value|Amount)|.*Percent)$/, 'Decimal'],
    [/[cC]ount$|^(index|height|sequence)$|Height$/, 'UInt53'],
    [/^timestamp$|At$/, 'DateTime'],
  ])('%s is %s', (pattern, type) => {
    // A limit is a number, whatever it counts.
    const list = named(pattern).filter(
      ({ type: of, owner }) => isLeafType(getNamedType(of)) && owner.name !== 'ServiceLimits',
    )
    expect(list.length).toBeGreaterThan(0)
    // The type URL of a message is a name of its package. Beside a `UInt53` there can be all of its 64 bits.
    const isOther = ({ name }: Member) => name === 'typeUrl' || name.startsWith('exact')
    expect(offenders(list, (m) => typeOf(m) === type || isOther(m))).toEqual([])
  })

  test('transfers have one type of hop, and routes one type of operation', () => {
    const names = types.filter(isObjectType).map(({ name }) => name)
    expect(names.filter((name) => /Hop$/.test(name))).toEqual(['TransferHop'])
    expect(names.filter((name) => /Operation$/.test(name))).toEqual(['RouteOperation'])
    for (const union of ['TransferHopDetails', 'RouteOperationDetails']) {
      const type = schema.getType(union)
      const details = isUnionType(type) ? type.getTypes() : []
      const unknown = details.filter(({ name }) => /^Unknown/.test(name))
      expect(unknown.map((type) => String(type.getFields().body?.type))).toEqual([expect.stringMatching(/^JSON/)])
    }
  })
})

test('durations name their unit', () => {
  const numbers = named(/time(out)?|duration|interval|delay|age$|seconds/i).filter((member) =>
    ['Int', 'Float', 'UInt53', 'BigInt'].includes(typeOf(member)),
  )
  expect(numbers.length).toBeGreaterThan(5)
  // A timeout in blocks.
  const isFine = ({ name }: Member) => /(Ms|Seconds)$/.test(name) || /timeoutHeight$/i.test(name)
  expect(offenders(numbers, isFine)).toEqual([])
})

test('an enum field that can be UNKNOWN has a raw field', () => {
  const unknown = members.filter((member) => {
    const type = getNamedType(member.type)
    return isField(member) && isEnumType(type) && !!type.getValue('UNKNOWN') && isObjectType(member.owner)
  })
  expect(unknown.length).toBeGreaterThan(10)
  // The states of bridge transfers and the enums of guidance are the gateway's own. The bridge of a hop has its word there.
  const hasRaw = ({ owner, name }: Member) => {
    const bare = name.replace(/^reported/, '')
    return (
      ['TransferGuidance', 'BridgeTransfer'].includes(owner.name) ||
      (isObjectType(owner) && `raw${bare.charAt(0).toUpperCase()}${bare.slice(1)}` in owner.getFields())
    )
  }
  expect(offenders(unknown, hasRaw)).toEqual([])
})

test('names are not abbreviated, and enums do not end with Type', () => {
  expect(named(/[dD]est(?!ination)|^tx|Tx|[lL]ink$|bridgeId/).map(({ path }) => path)).toEqual([])
  const enums = types.filter(isEnumType).map(({ name }) => name)
  expect(enums.filter((name) => /Type$|^Order$/.test(name))).toEqual([])
})

test('a Boolean with a default is not nullable', () => {
  const flags = members.filter((m) => typeOf(m) === 'Boolean' && m.defaultValue !== undefined)
  expect(flags.length).toBeGreaterThan(2)
  expect(offenders(flags, ({ type }) => isNonNullType(type))).toEqual([])
})

test('scalars have a specification URL, except those without a standard', () => {
  const own = types.filter(isScalarType).filter((type) => !isSpecifiedScalarType(type))
  const unspecified = own.filter(({ specifiedByURL }) => !specifiedByURL).map(({ name }) => name)
  // No standard covers all chains.
  expect(unspecified.toSorted()).toEqual(['Address', 'ChainId', 'Denom', 'Hash', 'Hex'])
})

test('mutation payloads have a query field', () => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {})
  expect(fields.length).toBeGreaterThan(0)
  for (const { type } of fields) {
    const payload = getNamedType(type)
    if (!isObjectType(payload)) throw new Error(`${payload.name} is no object type`)
    expect(payload.name).toMatch(/Payload$/)
    expect(String(payload.getFields().query?.type)).toBe('Query!')
  }
})

test('lists with first and last are connections', () => {
  const isPaged = ({ name }: Member) => name === 'first' || name === 'last'
  for (const member of members.filter((m) => isPaged(m) && typeOf(m) === 'Int')) {
    const field = member.path.replace(/\(.*/, '')
    const [list] = members.filter(({ path }) => path === field)
    expect(list && isListType(list.type), field).toBe(false)
  }
  // These are read whole, since no upstream has pages of them. Long ones have a filter.
  for (const path of ['ChainAccount.balances(denoms:)', 'Transaction.events(types:)', 'EvmTransaction.logs(topics:)']) {
    expect(
      members.some((member) => member.path === path),
      path,
    ).toBe(true)
  }
})
