// The sandbox as a process that takes faults by message.
import { startSandbox } from '../../dist/sandbox/sandbox.js'
import { serveParent } from '../children.mjs'

const { indexers, routerUrl, requests, faults } = await startSandbox()
let count = 0
const takeCount = () => {
  count += requests.splice(0).length
  return count
}
// The log of requests is bounded, so it has to be read before it is full.
setInterval(takeCount, 200)

serveParent(
  { indexers, routerUrl },
  {
    /** Replaces all faults. Each is a service, the prefix of a path, and a fault. */
    setFaults(all) {
      faults.clear()
      for (const [service, prefix, fault] of all) faults.set(service, prefix, fault)
    },
    /** Requests since the last question. */
    takeRequests() {
      const taken = takeCount()
      count = 0
      return taken
    },
  },
)
