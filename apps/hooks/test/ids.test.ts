import fc from 'fast-check'
import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { replay, resume, skip } from '../src/commands.ts'
import { readFollowed } from '../src/followed.ts'
import type { Message, PostAnswer } from '../src/post/post.ts'
import { runHook } from '../src/runHook.ts'
import type { HookState, HookStore } from '../src/store.ts'
import { createRandom } from './support/chain.ts'
import { createIo } from './support/clock.ts'
import { createGraph, type Source, schema } from './support/graph.ts'
import { toHook } from './support/hook.ts'

const address = 'address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3"'
const transfer = 'chainId: "a", hash: "AB"'
/** A document of each subscription that selects nothing of what identifies its events. */
const documents: Readonly<Record<string, string>> = {
  activity: `subscription { activity(${address}) { node { actions { summary } } } }`,
  balances: `subscription { balances(${address}) { changed { formattedAmount } } }`,
  blocks: 'subscription { blocks(chainId: "a") { headHeight } }',
  bridgeTransfers: `subscription { bridgeTransfers(${address}) { bridgeTransfers { summary } } }`,
  chainHeads: 'subscription { chainHeads { isLate } }',
  route:
    'subscription { route(input: { source: { chainId: "a", denom: "b" }, destination: { chainId: "a", denom: "c" }, amountIn: "1" }) { amountOut } }',
  transaction: `subscription { transaction(${transfer}) { node { hash } } }`,
  transfer: `subscription { transfer(${transfer}) { state } }`,
  transfers: 'subscription { transfers(ids: ["a"]) { state } }',
}

test('each subscription of the schema has a document here, and what is added to it is in the schema', () => {
  expect(Object.keys(documents)).toEqual(Object.keys(schema.getSubscriptionType()?.getFields() ?? {}).toSorted())
  for (const [name, document] of Object.entries(documents)) {
    const { document: sent, subscription } = readFollowed(document)
    expect(subscription).toBe(name)
    expect(validate(schema, parse(sent))).toEqual([])
  }
})

/** A store in memory, in which a state is what a file would have of it. */
function createStore(): HookStore {
  const states = new Map<string, string>()
  return {
    load: async (name) => JSON.parse(states.get(name) ?? '{}') as HookState,
    save: async (name, state) => void states.set(name, JSON.stringify(state)),
    setAside: async (name, _skipped, state) => void states.set(name, JSON.stringify(state)),
    listSkipped: async () => [],
  }
}

interface Sent {
  readonly id: string
  readonly body: { readonly type: string; readonly cursor?: string; readonly data: Source }
}

/** A hook whose receiver takes events, fails, or takes one and is not heard, while the program is stopped at random. */
function startHook(document: string, client: ReturnType<typeof createGraph>, random: () => number) {
  const store = createStore()
  const hook = toHook({ url: 'https://hooks.example/', document })
  /** What the receiver got, and whether it has taken it. */
  const received: (Sent & { readonly isTaken: boolean })[] = []
  const run = async (isCalm = false) => {
    const { io, stop } = createIo(() => {}, random)
    const post = async ({ headers, body }: Message): Promise<PostAnswer> => {
      const chance = isCalm ? 1 : random()
      const isTaken = chance > 0.3
      received.push({ id: headers['webhook-id'] ?? '', body: JSON.parse(body), isTaken })
      if (chance > 0.4) return { status: 204, retryAfter: undefined }
      if (chance > 0.35 || chance < 0.15) stop()
      // A program that is stopped, or killed, never hears the answer.
      if (chance > 0.3 || chance < 0.15) throw new Error('lost')
      return { status: 500, retryAfter: undefined }
    }
    const log = (line: string) => {
      if (line.includes('stopped')) throw new Error(line)
    }
    return runHook(hook, { io: { ...io, log }, client, post, store })
  }
  return { hook, store, received, run }
}

const texts = ['Sent 5 INIT', 'Sent 7 INIT']
const transactionOf = (number: number, summary: string): Source => ({
  ...{ __typename: 'Transaction', id: `transaction-${number}`, hash: `AB${number}` },
  ...{ chain: { chainId: 'a' }, actions: [{ summary }], timestamp: '2026-11-21T12:00:00Z' },
})
const recordsOf: Readonly<Record<string, (number: number, text: string) => Source>> = {
  activity: (number, text) => ({ number, node: transactionOf(number, text), notice: null }),
  bridgeTransfers: (number, text) => ({
    ...{ number, node: transactionOf(number, text), notice: null, bridgeTransfers: [{ summary: text }] },
  }),
  blocks: (number) => ({ number, node: { id: `block-${number}`, height: number }, headHeight: 7, notice: null }),
}
const complete: Readonly<Record<string, string>> = {
  activity: `subscription ($after: String) { activity(${address}, after: $after) { cursor node { id } notice { kind } } }`,
  bridgeTransfers: `subscription ($from: String) { own: bridgeTransfers(${address}, after: $from) { cursor node { id } notice { kind } bridgeTransfers { summary } } }`,
  blocks:
    'subscription ($after: String) { blocks(chainId: "a", after: $after) { cursor node { id height } notice { kind } } }',
}

test('a record has one id in all attempts, restarts and replays, and no other record has it, whatever both say', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...Object.keys(recordsOf)),
    fc.boolean(),
    fc.array(fc.constantFrom(...texts), { minLength: 2, maxLength: 8 }),
    fc.integer(),
    async (subscription, isComplete, says, seed) => {
      const random = createRandom(seed)
      const sources = says.map((text, index) => recordsOf[subscription]?.(index + 1, text) ?? {})
      const numbers = new Map<string, number>()
      const client = createGraph({
        subscription,
        open: (after = 0) => sources.slice(after),
        salt: () => String(random()),
      })
      const document = (isComplete ? complete : documents)[subscription] ?? ''
      const { hook, store, received, run } = startHook(document, client, random)
      const settle = async () => {
        for (let end = ''; end !== 'ended'; ) {
          end = await run()
          if (end === 'parked') await resume(hook.name, store)
        }
      }
      await settle()
      for (let count = 0; count < 2; count += 1) {
        const { body } = received[Math.floor(random() * received.length)] ?? {}
        await replay(hook.name, body?.cursor ?? '', store)
        await settle()
      }
      for (const { id, body } of received) {
        const number = Number(body.cursor?.split(' ')[0])
        expect(numbers.get(id) ?? number).toBe(number)
        numbers.set(id, number)
        expect(Object.keys(body.data).filter((name) => name.startsWith('portolan_'))).toEqual([])
      }
      expect(new Set(numbers.values()).size).toBe(says.length)
      expect(numbers.size).toBe(says.length)
    },
  )
  await fc.assert(property, { numRuns: 100 })
})

const balancesOf = (amount: number, isFirst: boolean): Source => {
  const balance = { chain: { chainId: 'a' }, denom: 'uinit', amount: String(amount), formattedAmount: String(amount) }
  return { balances: { balances: [balance] }, changed: isFirst || amount >= 0 ? [balance] : [] }
}

test('a balance that goes from 5 to 7 to 5 is three states with three ids', async () => {
  const states = [5, 7, 5].map((amount, index) => balancesOf(amount, index === 0))
  const client = createGraph({ subscription: 'balances', open: () => states, salt: () => '' })
  const { received, run } = startHook(documents.balances ?? '', client, () => 0)
  await run(true)
  expect(received.map(({ body }) => body.data)).toEqual(
    ['5', '7', '5'].map((formattedAmount) => ({ changed: [{ formattedAmount }] })),
  )
  expect(new Set(received.map(({ id }) => id)).size).toBe(3)
})

const statesOf: Readonly<Record<string, (value: number, isFirst: boolean) => Source>> = {
  balances: balancesOf,
  transfer: (value) => ({ state: value === 5 ? 'PENDING' : 'SUBMITTED' }),
  route: (value) => ({ amountOut: String(value) }),
  transaction: (value) => ({ node: transactionOf(value, '') }),
}

test('a state has an id of its own, which stays in each attempt and restart, and one that was taken does not come again', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...Object.keys(statesOf)),
    fc.array(fc.constantFrom(5, 7), { minLength: 1, maxLength: 8 }),
    fc.integer(),
    async (subscription, values, seed) => {
      const random = createRandom(seed)
      // A connection begins with the present state, which moves on while it lasts.
      let now = 0
      const open = function* () {
        yield statesOf[subscription]?.(values[now] ?? 0, true) ?? {}
        for (; now + 1 < values.length; ) {
          now += 1
          yield statesOf[subscription]?.(values[now] ?? 0, false) ?? {}
        }
      }
      const { hook, store, received, run } = startHook(
        documents[subscription] ?? '',
        createGraph({ subscription, open, salt: () => '' }),
        random,
      )
      const settle = async (isCalm: boolean) => {
        await store.save(hook.name, { ...(await store.load(hook.name)), isEnded: undefined })
        for (let end = ''; end !== 'ended'; ) {
          end = await run(isCalm)
          if (end === 'parked') await (random() < 0.5 ? resume : skip)(hook.name, store)
        }
      }
      await settle(false)
      const says = new Map<string, string>()
      for (const [index, { id, body }] of received.entries()) {
        // Between two messages with one id is none with another one.
        const before = received[index - 1]
        if (before?.id !== id) expect(says.has(id)).toBe(false)
        else expect(body.data).toEqual(before.body.data)
        // A state that the receiver has, and whose answer was heard, does not come again at once.
        if (before && before.id !== id) expect(body.data).not.toEqual(before.body.data)
        says.set(id, JSON.stringify(body.data))
      }
      // A restart without a change says nothing.
      const count = received.length
      await settle(true)
      expect(received.length).toBe(count)
    },
  )
  await fc.assert(property, { numRuns: 100 })
})

test.each([
  ['chainHeads', 'chain', (name: string) => ({ chain: { chainId: name } })],
  ['transfers', 'id', (name: string) => ({ id: name })],
])('the states of several things are told apart (%s)', async (subscription, _part, subjectOf) => {
  const stateOf = (name: string, isOn: boolean): Source => ({
    ...{ ...subjectOf(name), isLate: isOn, state: isOn ? 'PENDING' : 'SUBMITTED' },
  })
  const present = [stateOf('one', true), stateOf('two', true)]
  const later = [stateOf('one', true), stateOf('two', false), stateOf('two', true)]
  let events = [...present, ...later]
  const client = createGraph({ subscription, open: () => events, salt: () => '' })
  const { hook, store, received, run } = startHook(documents[subscription] ?? '', client, () => 0)
  await run(true)
  expect(new Set(received.map(({ id }) => id)).size).toBe(4)
  expect(received).toHaveLength(4)
  // A program that starts again is told the present state of each.
  await store.save(hook.name, { ...(await store.load(hook.name)), isEnded: undefined })
  events = present
  await run(true)
  expect(received).toHaveLength(4)
})

test('two notices that say the same are two messages, and a record without a node has an id of its own', async () => {
  const notice = { kind: 'LATE', message: 'No new block.' }
  const events = [1, 1, 2].map((number) => ({ number, chain: { chainId: 'a' }, node: null, notice }))
  const nameless = [3, 4].map((number) => ({ number, chain: { chainId: 'a' }, node: null, notice: null }))
  const client = createGraph({ subscription: 'activity', open: () => [...events, ...nameless], salt: () => '' })
  const { received, run } = startHook(documents.activity ?? '', client, () => 0)
  await run(true)
  expect(received.map(({ body }) => body.type)).toEqual([
    ...Array(3).fill('activity.notice'),
    ...Array(2).fill('activity.record'),
  ])
  expect(new Set(received.map(({ id }) => id)).size).toBe(5)
})
