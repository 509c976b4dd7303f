// The stand-in for the upstreams as a process of its own, so that neither it nor the load waits while the other
// collects its garbage.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startUpstream } from './upstream.mjs'

const path = fileURLToPath(import.meta.url)

/** Starts the process, on the cores of this one. It ends with this one, or when it is closed. */
export async function startStandIn() {
  const child = fork(path, ['serve'], { execArgv: ['--max-semi-space-size=64'] })
  const answers = []
  const events = {
    height(value) {
      height = value
    },
    answer: (value) => answers.shift()(value),
  }
  child.on('message', ([event, value]) => events[event](value))
  const ask = (method, ...args) =>
    new Promise((resolve) => {
      answers.push(resolve)
      child.send([method, ...args])
    })
  let height = 0
  const url = await ask('url')
  return {
    url,
    /** Requests since the last call. */
    takeRequests: () => ask('takeRequests'),
    /** From now on each response takes so many milliseconds. */
    delay: (milliseconds) => ask('delay', milliseconds),
    /** The height of the chain, or that of a moment ago. */
    height: () => height,
    /** Adds a block every so many milliseconds; gives a function that stops it. */
    addBlocks(intervalMs) {
      const timer = setInterval(() => ask('addBlock'), intervalMs)
      return () => clearInterval(timer)
    },
    close: () => child.disconnect(),
  }
}

async function serve() {
  const upstream = await startUpstream()
  const methods = { ...upstream, url: () => upstream.url }
  const tellHeight = () => process.send(['height', upstream.height()])
  tellHeight()
  process.on('message', ([method, ...args]) => {
    const value = methods[method](...args)
    if (method === 'addBlock') tellHeight()
    process.send(['answer', value])
  })
  process.on('disconnect', () => process.exit(0))
}

if (process.argv[2] === 'serve') await serve()
