// The contestants as processes on a core of their own.
import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { heapFlags } from '../children.mjs'

const contestantCore = '0'
const loadCore = '1'

/** Whether a process can be given a core: on Linux, if there are two. Elsewhere all share what the system gives them. */
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** Moves this process, with the load and the upstream, to the second core. */
export function pinThisProcess() {
  if (canPin) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', loadCore, String(process.pid)])
}

/** The module of a contestant: one of this folder, or the path of the same file in another checkout. */
export const modulePathOf = (name) =>
  name.startsWith('/') ? name : import.meta.resolve(`./contestants/${name}.mjs`).slice('file://'.length)

/**
 * Runs a contestant on the first core: with the flags of `npm start` if it is the gateway, or if all have them,
 * and as Node.js starts it otherwise. `usage` gives its microseconds of CPU so far and its bytes of resident memory.
 */
export async function startContestant(name, upstreamUrl, { haveAllFlags = false } = {}) {
  const flags = haveAllFlags || name === 'portolan' ? heapFlags : []
  const script = import.meta.resolve('./contestant.mjs').slice('file://'.length)
  const command = [process.execPath, ...flags, script, modulePathOf(name), upstreamUrl]
  const [program, ...args] = canPin ? ['taskset', '--cpu-list', contestantCore, ...command] : command
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const answer = () =>
    new Promise((resolve, reject) => {
      const fail = (code) => reject(new Error(`${name} exited with ${code}`))
      child.once('exit', fail)
      child.once('message', (message) => {
        child.off('exit', fail)
        resolve(message)
      })
    })
  const { url } = await answer()
  return {
    url,
    usage() {
      const next = answer()
      child.send('')
      return next
    },
    async stop() {
      const exited = new Promise((done) => child.once('exit', done))
      child.disconnect()
      await exited
    },
  }
}
