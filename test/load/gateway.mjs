// A gateway as a process that watches its own heap and event loop.

import { childOptions, serveParent } from '../../bench/children.mjs'
import { createGateway } from '../../dist/gateway.js'
import { watchLoop } from './loop.mjs'

const gateway = await createGateway(childOptions())
const loop = watchLoop()
/** A heap that has grown by so much is collected before it is counted, at most so often: then no garbage counts. */
const collected = { fromBytes: 128 * 2 ** 20, everyMs: 2_000 }
let idleHeap = 0
let highestHeap = 0
let collectedAt = 0
const trueDate = Date.now
let unhandled = 0
let logged = 0
/** Counts the warnings and errors in the log, which are lines of JSON. */
const write = process.stderr.write.bind(process.stderr)
process.stderr.write = (text, ...rest) => {
  if (/"level":[456]0/.test(text)) logged += 1
  return write(text, ...rest)
}
process.on('unhandledRejection', () => {
  unhandled += 1
})
setInterval(() => {
  let { heapUsed } = process.memoryUsage()
  if (heapUsed - idleHeap > collected.fromBytes) {
    const now = performance.now()
    if (now - collectedAt < collected.everyMs) return
    loop.without(globalThis.gc)
    collectedAt = performance.now()
    heapUsed = process.memoryUsage().heapUsed
  }
  highestHeap = Math.max(highestHeap, heapUsed)
}, 20)

let lastCpu = { at: performance.now(), used: process.cpuUsage() }

function takeCpuShare() {
  const { at, used } = lastCpu
  const { user, system } = process.cpuUsage(used)
  lastCpu = { at: performance.now(), used: process.cpuUsage() }
  return (user + system) / 1_000 / (lastCpu.at - at)
}

serveParent(
  { url: gateway.url },
  {
    /** Begins to watch. */
    begin() {
      globalThis.gc()
      idleHeap = process.memoryUsage().heapUsed
      highestHeap = idleHeap
      unhandled = 0
      logged = 0
      loop.reset()
      return idleHeap
    },
    /** The highest heap in bytes, and how long the event loop stood still in milliseconds. */
    end() {
      return { highestHeap, unhandled, logged, ...loop.longest() }
    },
    /** Bytes resident. */
    resident: () => ({ rss: process.memoryUsage.rss() }),
    /**
     * Bytes of the heap after a collection, bytes resident, the bytes that the caches count, the open sockets, and the
     * share of a core since it was last asked.
     */
    memory() {
      const cpuShare = takeCpuShare()
      globalThis.gc()
      const { heapUsed, rss } = process.memoryUsage()
      const caches = [...gateway.shared.cache.regions.values()]
      const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
      return { heapUsed, rss, sockets, cpuShare, cached: caches.reduce((sum, { bytes }) => sum + bytes, 0) }
    },
    /** Lets the date of this process be so many milliseconds before or after the true one. */
    shiftDate(ms) {
      Date.now = () => trueDate() + ms
    },
    /** Serves these chains from now on. */
    updateChains: (chains) => gateway.updateChains({ chains }),
    close: () => gateway.close(),
  },
)
