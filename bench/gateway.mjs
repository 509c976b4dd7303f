// A gateway as a process that watches its own heap and event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createGateway } from '../dist/gateway.js'
import { childOptions, serveParent } from './children.mjs'

const gateway = await createGateway(childOptions())
const resolution = 10
const loop = monitorEventLoopDelay({ resolution })
let highestHeap = 0
let unhandled = 0
process.on('unhandledRejection', () => {
  unhandled += 1
})
setInterval(() => {
  highestHeap = Math.max(highestHeap, process.memoryUsage().heapUsed)
}, 20)

serveParent(
  { url: gateway.url },
  {
    /** Begins to watch. */
    begin() {
      globalThis.gc()
      const idle = process.memoryUsage().heapUsed
      highestHeap = idle
      unhandled = 0
      loop.enable()
      loop.reset()
      return idle
    },
    /** The highest heap in bytes, the longest time in milliseconds that the event loop stood still. */
    end() {
      return { highestHeap, unhandled, stillMs: Math.max(0, loop.max / 1e6 - resolution) }
    },
    close: () => gateway.close(),
  },
)
