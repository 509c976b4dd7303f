import { createServer } from 'node:http'
import DataLoader from 'dataloader'
import { buildSchema, parse } from 'graphql'
import { compileQuery } from 'graphql-jit'
import { Agent } from 'undici'
import { keyCursors, resolvers, typeDefs } from '../graph.mjs'

/** The schema of yoga with its resolvers in place. */
function resolvedSchema() {
  const schema = buildSchema(typeDefs)
  for (const [type, fields] of Object.entries(resolvers)) {
    for (const [name, resolve] of Object.entries(fields)) {
      schema.getType(type).getFields()[name].resolve = resolve
    }
  }
  return schema
}

/**
 * The least that serves a graph: node:http and graphql-jit, which compiles each document once. It validates nothing,
 * limits nothing and keeps nothing.
 */
export async function start(upstreamUrl) {
  const dispatcher = new Agent({ connections: 64 })
  // The lowest level of undici: a stream and its promises for each body would cost as much as the rest.
  const fetchPath = (path) =>
    new Promise((resolve, reject) => {
      const chunks = []
      dispatcher.dispatch(
        { origin: upstreamUrl, path, method: 'GET' },
        {
          onRequestStart() {},
          onResponseData(_controller, chunk) {
            chunks.push(chunk)
          },
          onResponseEnd() {
            try {
              resolve(JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
            } catch (error) {
              reject(error)
            }
          },
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
  const schema = resolvedSchema()
  const compiled = new Map()
  const compile = (query) => {
    const existing = compiled.get(query)
    if (existing) return existing
    const created = compileQuery(schema, parse(query))
    compiled.set(query, created)
    return created
  }
  const answer = async (body) => {
    const { query, variables } = JSON.parse(body)
    const loader = new DataLoader((paths) => Promise.all(paths.map(fetchPath)))
    const context = { get: (path) => loader.load(path) }
    return JSON.stringify(await compile(query).query({}, context, variables))
  }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', async () => {
      const text = await answer(body)
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      response.end(text)
    })
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}/graphql` }
}

/** Its cursors are the keys of the upstream. */
export const readCursors = keyCursors
