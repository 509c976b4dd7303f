import { createServer } from 'node:http'

const body = Buffer.from('{"data":{"__typename":"Query"}}')

/** The ceiling: node:http that reads the request and answers fixed bytes. */
export async function start() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      response.end(body)
    })
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}/graphql` }
}
