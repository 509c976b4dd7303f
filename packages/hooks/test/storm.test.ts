import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { resume } from '../src/commands.ts'
import { createPost } from '../src/post/post.ts'
import { runHook } from '../src/runHook.ts'
import { type HookStore, openStore } from '../src/store.ts'
import { createChain, createRandom } from './support/chain.ts'
import { createIo, type TestIo } from './support/clock.ts'
import { secret, startFolder, toHook } from './support/hook.ts'
import { type Answer, startReceiver } from './support/receiver.ts'

const events = 2_000
/** The share of answers that are no success, and how often one of both sides is killed. */
const faulty = 0.35
const killed = 0.01

/** The store of a program that can be killed: from then on, nothing that it does reaches the disk. */
function mortal(store: HookStore, isAlive: () => boolean): HookStore {
  const never = new Promise<never>(() => {})
  return {
    load: (name) => (isAlive() ? store.load(name) : never),
    save: (name, state) => (isAlive() ? store.save(name, state) : never),
    setAside: (name, parked) => store.setAside(name, parked),
  }
}

test(`${events} events pass a storm: none is lost, all are in order, and duplicates have the same id`, async () => {
  const random = createRandom(Number(process.env.PROPERTY_SEED ?? 3))
  using folder = startFolder()
  const store = await openStore(folder.fileOf('state'))
  const taken: { readonly id: string; readonly index: number }[] = []
  const counts = { faults: 0, programs: 0, receivers: 0, parked: 0 }
  let program: TestIo | undefined
  let kill = () => {}
  const faults: readonly Answer[] = [
    (_message, response) => response.writeHead(500).end('no'),
    (_message, response) => response.writeHead(503, { 'retry-after': '7' }).end(),
    (_message, response) => response.writeHead(429, { 'retry-after': 'soon' }).end(),
    (_message, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    (_message, response) => void response.destroy(),
    // It hangs until the sender has waited long enough.
    () => program?.advance(20_001),
  ]
  const answer: Answer = (message, response, request) => {
    if (random() < killed) kill()
    const isFaulty = random() < faulty
    // A receiver can take an event and then fail to say so.
    if (!isFaulty || random() < 0.3) {
      const { data } = JSON.parse(message.body)
      taken.push({ id: message.id, index: Number(data.node.id.replace('record-', '')) })
    }
    if (isFaulty) {
      counts.faults += 1
      faults[Math.floor(random() * faults.length)]?.(message, response, request)
    } else response.writeHead(204).end()
    if (random() < killed) kill()
    if (random() < killed) {
      counts.receivers += 1
      void receiver.kill()
    }
  }
  await using receiver = await startReceiver(answer)
  const hook = toHook({ url: receiver.url })
  const client = createChain(events, random)
  const post = createPost({ allowsPrivate: true, ports: [] })
  for (let isEnded = false; !isEnded; ) {
    let isAlive = true
    const own = createIo(async () => {
      if (random() < 0.5) await receiver.restart()
    }, random)
    program = own
    const death = new Promise<void>((resolve) => {
      kill = () => {
        if (isAlive) counts.programs += 1
        isAlive = false
        own.stop()
        resolve()
      }
    })
    const options = { io: own.io, client, post, store: mortal(store, () => isAlive) }
    await Promise.race([runHook(hook, options), death])
    const state = await store.load(hook.name)
    isEnded = state.isEnded === true
    if (state.parked && isAlive) {
      counts.parked += 1
      await resume(hook.name, store)
    }
  }
  const indexes = taken.map(({ index }) => index)
  expect([...new Set(indexes)]).toEqual(Array.from({ length: events }, (_, index) => index + 1))
  expect(indexes).toEqual(indexes.toSorted((one, other) => one - other))
  const ids = new Map(taken.map(({ index, id }) => [index, id]))
  expect(taken.every(({ index, id }) => ids.get(index) === id)).toBe(true)
  expect(new Set(ids.values()).size).toBe(events)
  for (const { id, headers, body } of receiver.received) {
    const signature = new Webhook(secret).sign(id, new Date(1_000 * Number(headers['webhook-timestamp'])), body)
    expect(headers['webhook-signature']).toBe(signature)
  }
  // The storm was one.
  expect(counts.faults / receiver.received.length).toBeGreaterThan(0.3)
  expect(counts.programs).toBeGreaterThan(20)
  expect(counts.receivers).toBeGreaterThan(20)
  expect(taken.length).toBeGreaterThan(events)
}, 120_000)
