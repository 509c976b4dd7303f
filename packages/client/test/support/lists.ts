import {
  buildSchema,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'

const address = '0xe68f6048265750f6f3eedd4df39f93cbb4cbf76a'

/** How to come to some records of each type that has lists. `LIST` stands for one of these. */
const ways: Readonly<Record<string, string>> = {
  Query: '{ LIST }',
  Account: `{ account(address: "${address}") { id LIST } }`,
  Asset: '{ assets(chainId: "harbor-1", first: 2) { nodes { id LIST } } }',
  Block: '{ chain(chainId: "galley-1") { id blocks(first: 3) { nodes { id LIST } } } }',
  Chain: '{ chain(chainId: "galley-1") { id LIST } }',
  ChainAccount: `{ chain(chainId: "galley-1") { id account(address: "${address}") { id LIST } } }`,
  EvmTransaction: '{ chain(chainId: "galley-1") { id evmTransactions(first: 3) { nodes { id LIST } } } }',
  Nft: `{ chain(chainId: "galley-1") { id nftCollections(first: 1) { nodes {
    id nfts(first: 2) { nodes { id LIST } }
  } } } }`,
  NftCollection: '{ chain(chainId: "galley-1") { id nftCollections(first: 2) { nodes { id LIST } } } }',
}

/** Values of the arguments that lists cannot do without. */
const required: Readonly<Record<string, string>> = {
  denom: '"evm/4f3edf983ac636a65a842ce7c78d9aa706d3b113"',
}

/** A list of the schema, read without arguments that it can do without, and as a page. */
export interface ListDocument {
  readonly name: string
  readonly text: string
}

/** A document for each list of a schema and each of its forms. The test of Relay in `test/clients` has the same. */
export function listDocuments(sdl: string): ListDocument[] {
  const schema = buildSchema(sdl)
  const selection = (type: GraphQLNamedType): string => {
    const cases = isAbstractType(type) ? schema.getPossibleTypes(type) : []
    const parts = cases.map((one) => `... on ${one.name} { ${leavesOf(one)} }`)
    return `{ __typename ${isObjectType(type) ? leavesOf(type) : parts.join(' ')} }`
  }
  const nodeOf = (connection: GraphQLObjectType) =>
    selection(getNamedType(connection.getFields().nodes?.type) as GraphQLNamedType)

  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((parent) => Object.values(parent.getFields()).map((field) => ({ parent, field })))
    .flatMap(({ parent, field }) => {
      const connection = getNamedType(field.type)
      if (!isObjectType(connection) || !connection.name.endsWith('Connection')) return []
      const way = ways[parent.name]
      if (!way) throw new Error(`No way leads to ${parent.name}.`)
      const own = field.args.filter(isRequiredArgument).map(({ name }) => `${name}: ${required[name] ?? 'null'}`)
      const node = nodeOf(connection)
      const shapes = {
        rows: `{ ${leavesOf(connection)} nodes ${node} edges { cursor node ${node} }
          pageInfo { startCursor endCursor hasNextPage hasPreviousPage } }`,
        'nodes alone': `{ nodes ${node} }`,
        'nodes without an id': '{ nodes { __typename } }',
        'cursors alone': '{ edges { cursor } }',
      }
      return [own, [...own, 'first: 3']].flatMap((all) =>
        Object.entries(shapes).map(([shape, fields]) => ({
          name: `${parent.name}.${field.name}, ${all.length > own.length ? 'a page' : 'no page'}, ${shape}`,
          text: way.replace('LIST', `${field.name}${all.length > 0 ? `(${all.join(', ')})` : ''} ${fields}`),
        })),
      )
    })
}

/** The fields of a type that have neither arguments nor fields. The same name has one type in all cases of a union. */
const leavesOf = (type: GraphQLObjectType): string => {
  const names = Object.values(type.getFields())
    .filter(({ type, args }) => isLeafType(getNamedType(type)) && !args.some(isRequiredArgument))
    .map(({ name }) => name)
  return names.includes('id') ? 'id' : names.join(' ')
}
