import { afterEach, beforeAll, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { compileProgram, killPrograms, serveProgram } from '../support/program.ts'
import { greetedSocket, type SocketClient } from '../support/socketClient.ts'

// This test runs the compiled program with two workers, each a process of its own.
beforeAll(compileProgram, 240_000)
afterEach(killPrograms)

const hashOf = (digit: string) => digit.repeat(62).concat('01')

/** A client that watches a transfer, and the state that it was told first. */
async function watch(url: string, hash: string) {
  const query = `subscription { transfer(chainId: "osmosis-1", hash: "${hash}") { state } }`
  const socket = await greetedSocket(url)
  socket.send({ id: '1', type: 'subscribe', payload: { query } })
  return { socket, first: (await socket.next()).payload.data.transfer.state as string }
}

/** The same, as a client that connects again when it is cut: the worker that it reached may have just ended. */
const watchAgain = (url: string, hash: string): ReturnType<typeof watch> =>
  watch(url, hash).catch(() => watchAgain(url, hash))

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

test('a transfer is polled once for all workers, and a worker that is killed loses no watcher', async () => {
  await using sandbox = await startSandbox()
  const indexers = sandbox.indexers.map(({ chainId, url }) => `${chainId}=${url}`).join()
  const env = { INDEXERS: indexers, ROUTER_URL: sandbox.routerUrl, LOG_LEVEL: 'debug' }
  const gateway = await serveProgram(['--workers', '2'], env)
  // Connections go to the workers in turn.
  const watchAtBoth = async (hash: string) => [
    await watch(gateway.url, hash),
    await watch(gateway.url, hash),
  ]

  const first = hashOf('A')
  const watchers = await watchAtBoth(first)
  const pids = new Set(
    gateway.logged('operation').flatMap(({ type, pid }) => (type === 'subscription' ? [pid] : [])),
  )
  expect(pids.size).toBe(2)
  const ends = await Promise.all(watchers.map(({ socket }) => statesOf(socket)))
  expect(ends.map((states) => states.at(-1))).toEqual(['COMPLETED_SUCCESS', 'COMPLETED_SUCCESS'])
  const polls = sandbox.requests.filter(
    (line) => line.includes('/v2/tx/status') && line.includes(first),
  ).length
  // One process polls some ten times in ten seconds. Two that share nothing poll twice as often.
  expect(polls).toBeGreaterThanOrEqual(6)
  expect(polls).toBeLessThanOrEqual(15)

  const second = hashOf('B')
  const others = (await watchAtBoth(second)).map(({ socket }) => statesOf(socket))
  const [killed] = pids
  process.kill(killed, 'SIGKILL')
  // One of the two clients is cut, connects again, and is told the state at once.
  expect((await Promise.race(others)).at(-1)).toBe(1006)
  const again = await watchAgain(gateway.url, second)
  expect(again.first).toMatch(/SUBMITTED|PENDING/)
  const states = await Promise.all([...others, statesOf(again.socket)])
  expect(states.filter((each) => each.at(-1) === 'COMPLETED_SUCCESS')).toHaveLength(2)
}, 120_000)
