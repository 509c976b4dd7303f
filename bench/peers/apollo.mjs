import { RESTDataSource } from '@apollo/datasource-rest'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { Agent, fetch } from 'undici'
import { keyCursors, resolvers, typeDefs } from '../load/graph.mjs'

/** Apollo Server with a RESTDataSource for each request, which sends equal requests of an operation once. */
export async function start(upstreamUrl) {
  const dispatcher = new Agent({ connections: 64 })
  const keepAliveFetch = (url, options) => fetch(url, { ...options, dispatcher })
  class Upstream extends RESTDataSource {
    baseURL = upstreamUrl
  }
  const server = new ApolloServer({
    typeDefs,
    resolvers,
    introspection: false,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  })
  const { url } = await startStandaloneServer(server, {
    listen: { host: '127.0.0.1', port: 0 },
    context: async () => {
      const source = new Upstream({ fetch: keepAliveFetch })
      return { get: (path) => source.get(path) }
    },
  })
  return { url }
}

/** Its cursors are the keys of the upstream. */
export const readCursors = keyCursors
