// Random documents over any schema: fields, arguments, fragments and aliases, mostly valid.
import {
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'

/** Texts of each scalar: those that the sandbox knows, and some that nobody does. */
const texts = {
  ChainId: ['harbor-1', 'galley-1', 'lantern-1', 'osmosis-1', 'nowhere-1', ''],
  Address: [
    'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3',
    '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817',
    '0x7cb7069ac3f429e199d886f49c31aa997560d464',
    '0x1',
    'nobody',
  ],
  Hash: [
    '82F15C4FB1E4A968B5F5F74298DE224C3FA5BC4D68ED00778222E5F6DCB5CA39',
    '0xb14aa36458e1928ec4826b3642bdb97fcc38127264b3e07bb067adba1640d639',
    'A'.repeat(64),
    'A'.repeat(63),
  ],
  Denom: ['uinit', 'ulant', 'evm/4f3edf983ac636a65a842ce7c78d9aa706d3b113', 'INIT', '\u202E'],
  BigInt: ['25000000', '0', '-1', '9'.repeat(78)],
  Decimal: ['1', '0.5', '-1', '1e5'],
  DateTime: ['2026-09-01T00:00:00Z', 'yesterday'],
  Hex: ['0x', '0xdeadbeef', 'DE'],
  URL: ['https://example.org'],
  ID: ['Chain:harbor-1', 'Block:galley-1/1041', 'Account:77', 'Transaction:harbor-1/AA', 'x'].map((text) =>
    Buffer.from(text).toString('base64'),
  ),
  String: ['init', 'MsgSend', 'harbour', '1041', '\u0000', 'x'.repeat(300), 'eyJ4IjoxfQ'],
}

/** Makes documents that cost at most some hundred requests each. */
export function createDocuments(schema, { pick, isTrue, below }) {
  const literal = (type, depth = 0) => {
    if (isNonNullType(type)) return literal(type.ofType, depth)
    if (isTrue(0.03)) return 'null'
    if (isListType(type)) {
      return `[${Array.from({ length: below(4) }, () => literal(type.ofType, depth + 1)).join(', ')}]`
    }
    if (isEnumType(type)) return pick(type.getValues()).name
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isNonNullType(field.type) || (depth < 3 && isTrue(0.25)),
      )
      return `{${fields.map((field) => `${field.name}: ${literal(field.type, depth + 1)}`).join(', ')}}`
    }
    if (type.name === 'Boolean') return pick(['true', 'false'])
    if (type.name === 'Int' || type.name === 'UInt53') {
      return pick(['1', '2', '5', '10', '1041', '0', '-1', '100000'])
    }
    if (type.name === 'Float') return '1.5'
    if (type.name === 'JSON') return pick(['{a: [1, {b: "c"}]}', '"text"', '1'])
    return JSON.stringify(pick(texts[type.name] ?? texts.String))
  }

  const fieldText = (field, depth, alias) => {
    const chosen = field.args.filter(({ type, defaultValue, name }) => {
      if (isNonNullType(type) && defaultValue === undefined) return true
      return isTrue(name === 'first' ? 0.5 : 0.2)
    })
    const args = chosen.map(({ name, type }) => `${name}: ${literal(type)}`).join(', ')
    const type = getNamedType(field.type)
    const selection = isLeafType(type) ? '' : ` ${selectionOf(type, depth - 1)}`
    return `${alias}: ${field.name}${args && `(${args})`}${selection}`
  }

  let count = 0
  const selectionOf = (type, depth) => {
    if (isUnionType(type) || (isAbstractType(type) && isTrue(0.5))) {
      const parts = schema.getPossibleTypes(type).filter(() => isTrue(0.5))
      return `{ __typename ${parts.map((part) => `... on ${part.name} ${selectionOf(part, depth - 1)}`).join(' ')} }`
    }
    const fields = Object.values(type.getFields())
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)))
    const choices = depth > 0 ? fields : leaves
    if (choices.length === 0) return '{ __typename }'
    const size = 1 + below(depth > 0 ? 4 : 6)
    const parts = Array.from({ length: size }, () => {
      count += 1
      return fieldText(pick(choices), depth, `f${count}`)
    })
    return isObjectType(type) && isTrue(0.1)
      ? `{ ...on ${type.name} { ${parts.join(' ')} } }`
      : `{ ${parts.join(' ')} }`
  }

  return () => {
    count = 0
    return `query Fuzz ${selectionOf(schema.getQueryType(), 1 + below(6))}`
  }
}
