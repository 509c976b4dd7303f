// The processes of `watch.mjs` and `fleet.mjs`: each plays one role and answers its parent's questions.
import { fork } from 'node:child_process'
import { startSandbox } from '../packages/sandbox/dist/sandbox.js'

/**
 * Starts this file as a process of its own. `start` is what its role said when it was up; `ask` gives
 * what the role has to say now.
 */
export async function startRole(role, options) {
  const child = fork(import.meta.filename, [role, JSON.stringify(options ?? {})])
  const answer = () =>
    new Promise((resolve, reject) => {
      const fail = (code) => reject(new Error(`${role} ended with ${code}`))
      child.once('exit', fail)
      child.once('message', (message) => {
        child.off('exit', fail)
        resolve(message)
      })
    })
  return {
    start: await answer(),
    ask() {
      const next = answer()
      child.send('')
      return next
    },
    stop: () => child.kill(),
  }
}

/** A sandbox; says how many calls of each kind its router got so far. */
async function sandboxRole() {
  const { indexers, routerUrl, requests } = await startSandbox()
  const counts = { status: 0, track: 0, blocks: 0 }
  const count = () => {
    for (const line of requests.splice(0)) {
      if (line.includes('/v2/tx/status')) counts.status += 1
      if (line.includes('/v2/tx/track')) counts.track += 1
      if (line.includes('/indexer/block/v1/blocks')) counts.blocks += 1
    }
    return counts
  }
  // The log of requests is bounded, so it has to be read before it is full.
  setInterval(count, 200)
  return { start: { indexers, routerUrl }, answer: count }
}

/** A gateway; says how much CPU time it has taken. */
async function gatewayRole(options) {
  const { createGateway } = await import('../dist/gateway.js')
  const { url } = await createGateway({
    chains: options.indexers,
    router: { url: options.routerUrl },
    graphiql: false,
    redis: options.redis,
    // All watchers of a bench have one address.
    limits: { maxOpenPerClient: 30_000 },
  })
  const answer = () => {
    const { user, system } = process.cpuUsage()
    return { cpuMicros: user + system }
  }
  return { start: { url }, answer }
}

if (process.send) {
  const [role, options] = process.argv.slice(2)
  const play = { sandbox: sandboxRole, gateway: gatewayRole }[role]
  const { start, answer } = await play(JSON.parse(options))
  process.on('message', () => process.send(answer()))
  process.on('disconnect', () => process.exit())
  process.send(start)
}
