// A graph of a company, to be joined with Portolan's: it knows its users, and the address of each.
import { createServer } from 'node:http'
import { buildSchema, graphql, parse } from 'graphql'

const types = `
  interface Node { id: ID! }
  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  scalar Address
  type Account { hexAddress: Address! }
  type User implements Node { id: ID! name: String! account: Account! }
  type UserConnection { nodes: [User!]! pageInfo: PageInfo! }
  type Query {
    user(name: String!): User
    users(first: Int): UserConnection!
    node(id: ID!): Node
  }
`

/** What is added for Federation. Another graph resolves an \`Account\` by its address. */
export const sdl = types
  .replace('type PageInfo {', 'type PageInfo @shareable {')
  .replace('type Account {', 'type Account @key(fields: "hexAddress", resolvable: false) {')
  .replace('node(id: ID!): Node', 'node(id: ID!): Node @shareable @inaccessible')
  .replace(
    /^/,
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@inaccessible"])\n',
  )

const users = [
  { id: '1', name: 'ada', account: { hexAddress: '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817' } },
  { id: '2', name: 'bob', account: { hexAddress: '0x00983cb2bff0c501b1e5916d6fd177894a5ec13a' } },
]

const page = { hasNextPage: false, hasPreviousPage: false }
const rootValue = {
  user: ({ name }) => users.find((user) => user.name === name),
  users: ({ first = 10 }) => ({ nodes: users.slice(0, first), pageInfo: page }),
}

/** Serves it on loopback. Resolves to its server and its URL. */
export async function startUsers() {
  const schema = buildSchema(types)
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { query: source, variables: variableValues } = JSON.parse(body)
    parse(source)
    const result = await graphql({ schema, source, variableValues, rootValue })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${server.address().port}/graphql` }
}
