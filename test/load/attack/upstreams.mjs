// The sandbox as a process that takes faults by message.
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { serveParent } from '../../../bench/children.mjs'
import { startSandbox } from '../../../packages/sandbox/dist/sandbox.js'
import { createPages } from './pages.mjs'
import { createRecords } from './records.mjs'

const { indexers, routerUrl, requests, faults } = await startSandbox()
const pageOf = await createPages(indexers)
let servesPages = false
let records
let count = 0
const takeCount = () => {
  count += requests.splice(0).length
  return count
}
// The log of requests is bounded, so it has to be read before it is full.
setInterval(takeCount, 200)

// A fault that depends on the request: the sandbox itself takes longer to make a page than to send it.
const { take } = faults
faults.take = (service, target) => {
  const body = servesPages ? pageOf(service, target) : recordsFor(service, target)
  return body === undefined ? take(service, target) : { kind: 'garbage', body }
}

/** The made list that a request to a chain is for, if there is one. */
const recordsFor = (service, target) =>
  service === records?.chainId ? records.bodies.get(target.split('?')[0]) : undefined

/** An indexer whose every response unpacks to 64 MiB, whatever encodings the request accepts. */
const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20))
const bombs = createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': bomb.length,
  })
  response.end(bomb)
})
await new Promise((done) => bombs.listen(0, '127.0.0.1', done))

serveParent(
  { indexers, routerUrl, bombUrl: `http://127.0.0.1:${bombs.address().port}` },
  {
    /** Replaces all faults. Each is a service, the prefix of a path, and a fault. */
    setFaults(all) {
      faults.clear()
      for (const [service, prefix, fault] of all) faults.set(service, prefix, fault)
    },
    /** Whether pages of 100 transactions come from memory. */
    servePages(isOn = false) {
      servesPages = isOn
    },
    /** Serves lists of made transactions for a chain. Gives the bytes of the longest. */
    serveRecords(given) {
      records = given && { chainId: given.chainId, bodies: createRecords(given) }
      return Math.max(0, ...[...(records?.bodies.values() ?? [])].map(({ length }) => length))
    },
    /** Requests since the last question. */
    takeRequests() {
      const taken = takeCount()
      count = 0
      return taken
    },
  },
)
