import { createServer } from 'node:http'
import DataLoader from 'dataloader'
import { createSchema, createYoga } from 'graphql-yoga'
import { Agent } from 'undici'
import { keyCursors, resolvers, typeDefs } from '../graph.mjs'

/** The usual way to build such a gateway: a hand-written schema on graphql-yoga, with a DataLoader. */
export async function start(upstreamUrl) {
  const dispatcher = new Agent({ connections: 64 })
  const fetchPath = async (path) => {
    const { body } = await dispatcher.request({ origin: upstreamUrl, path, method: 'GET' })
    return body.json()
  }
  const yoga = createYoga({
    schema: createSchema({ typeDefs, resolvers }),
    context: () => {
      const loader = new DataLoader((paths) => Promise.all(paths.map(fetchPath)))
      return { get: (path) => loader.load(path) }
    },
    graphiql: false,
    logging: false,
  })
  const server = createServer(yoga)
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}/graphql` }
}

/** Its cursors are the keys of the upstream. */
export const readCursors = keyCursors
