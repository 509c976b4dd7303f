import DataLoader from 'dataloader'
import fastify from 'fastify'
import mercurius from 'mercurius'
import { Agent } from 'undici'
import { keyCursors, resolvers, typeDefs } from '../load/graph.mjs'

/** Mercurius on fastify with graphql-jit for every operation, and a DataLoader. */
export async function start(upstreamUrl) {
  const dispatcher = new Agent({ connections: 64 })
  const fetchPath = async (path) => {
    const { body } = await dispatcher.request({ origin: upstreamUrl, path, method: 'GET' })
    return body.json()
  }
  const app = fastify()
  app.register(mercurius, {
    schema: typeDefs,
    resolvers,
    jit: 1,
    context: () => {
      const loader = new DataLoader((paths) => Promise.all(paths.map(fetchPath)))
      return { get: (path) => loader.load(path) }
    },
  })
  return { url: `${await app.listen({ host: '127.0.0.1', port: 0 })}/graphql` }
}

/** Its cursors are the keys of the upstream. */
export const readCursors = keyCursors
