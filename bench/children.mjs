// Processes that play a part in a run and answer their parent's questions by name.
import { fork } from 'node:child_process'

/** How `npm start` and the container run the gateway. */
export const heapFlags = ['--max-semi-space-size=32', '--no-allocation-site-pretenuring']

/**
 * Starts a module as a process of its own, with options as JSON. `start` is what it said when it was up.
 * `ask` rejects once the process has ended. `exitCode` is undefined while it runs, and a signal's name if
 * that ended it.
 */
export async function startChild(modulePath, options = {}, { execArgv = [], env = {} } = {}) {
  const child = fork(modulePath, [JSON.stringify(options)], {
    execArgv,
    env: { ...process.env, ...env },
    serialization: 'advanced',
  })
  const waiting = new Map()
  let count = 0
  let exitCode
  const exited = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      exitCode = code ?? signal
      for (const { reject } of waiting.values()) reject(new Error(`exited with ${exitCode}`))
      waiting.clear()
      resolve(exitCode)
    })
  })
  const answerTo = (id) =>
    new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
    })
  child.on('message', ({ id, value }) => {
    waiting.get(id)?.resolve(value)
    waiting.delete(id)
  })
  const start = await answerTo(0)
  return {
    start,
    exited,
    get exitCode() {
      return exitCode
    },
    ask(name, value) {
      if (exitCode !== undefined) return Promise.reject(new Error(`exited with ${exitCode}`))
      count += 1
      const answer = answerTo(count)
      child.send({ id: count, name, value })
      return answer
    },
    signal: (name) => child.kill(name),
    async stop() {
      if (exitCode === undefined) child.kill('SIGKILL')
      await exited
    },
  }
}

/** The child's side: says that it is up, then answers questions. It ends with its parent. */
export function serveParent(start, handlers) {
  process.on('message', async ({ id, name, value }) => {
    process.send({ id, value: await handlers[name](value) })
  })
  process.on('disconnect', () => process.exit())
  process.send({ id: 0, value: start })
}

/** The options that the parent gave. */
export const childOptions = () => JSON.parse(process.argv[2])
