import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { startSandbox } from '../../../packages/sandbox/src/sandbox.ts'
import { compileProgram, killPrograms, serveProgram } from '../../support/program.ts'
import { hasRedis, startRedis } from '../../support/redisServer.ts'
import { greetedSocket, type SocketClient } from '../../support/socketClient.ts'

// This test runs the compiled program with two workers, each a process of its own.
beforeAll(compileProgram, 240_000)
afterEach(killPrograms)

/** A client that watches a transfer, and the state that it was told first. */
async function watch(url: string, hash: string) {
  const query = `subscription { transfer(chainId: "osmosis-1", hash: "${hash}") { state } }`
  const socket = await greetedSocket(url)
  socket.send({ id: '1', type: 'subscribe', payload: { query } })
  return { socket, first: (await socket.next()).payload.data.transfer.state as string }
}

/** The same, as a client that connects again if it is cut: the worker that it reached may have just ended. */
const watchAgain = (url: string, hash: string, attempts = 20): ReturnType<typeof watch> =>
  watch(url, hash).catch(async (error: unknown) => {
    if (attempts === 0) throw error
    await pause(100)
    return watchAgain(url, hash, attempts - 1)
  })

/** The states until the transfer has ended, or the code with which the socket was closed. */
async function statesOf(socket: SocketClient): Promise<(string | number)[]> {
  const states: (string | number)[] = []
  for (;;) {
    const message = await socket.next()
    if (typeof message === 'number') return [...states, message]
    if (message.type === 'complete') return states
    states.push(message.payload.data.transfer.state)
  }
}

test.runIf(hasRedis)(
  'with Redis, workers share the polls of a transfer, also after one is killed',
  async () => {
    await using redis = await startRedis()
    await using sandbox = await startSandbox()
    const indexers = sandbox.indexers.map(({ chainId, url }) => `${chainId}=${url}`).join()
    const env = {
      ...{ INDEXERS: indexers, ROUTER_URL: sandbox.routerUrl },
      ...{ REDIS_URL: redis.url, LOG_LEVEL: 'debug' },
    }
    const gateway = await serveProgram(['--workers', '2'], env)
    const hash = 'A'.repeat(62).concat('01')
    const watchers = [await watch(gateway.url, hash), await watch(gateway.url, hash)]
    const pids = new Set<number>(
      gateway.logged('operation').flatMap(({ type, pid }) => (type === 'subscription' ? [pid] : [])),
    )
    // Connections go to the workers in turn.
    expect(pids.size).toBe(2)
    const ends = watchers.map(({ socket }) => statesOf(socket))
    const [killed = 0] = pids
    process.kill(killed, 'SIGKILL')
    // One of the two clients is cut, connects again, and is told the state at once.
    expect((await Promise.race(ends)).at(-1)).toBe(1006)
    const again = await watchAgain(gateway.url, hash)
    expect(again.first).toMatch(/SUBMITTED|PENDING/)
    const states = await Promise.all([...ends, statesOf(again.socket)])
    expect(states.filter((each) => each.at(-1) === 'COMPLETED_SUCCESS')).toHaveLength(2)

    const polls = sandbox.requests.filter((line) => line.includes('/v2/tx/status') && line.includes(hash)).length
    // One process polls some ten times in ten seconds. Two that share nothing poll twice as often.
    expect(polls).toBeGreaterThanOrEqual(3)
    expect(polls).toBeLessThanOrEqual(15)
  },
  90_000,
)
