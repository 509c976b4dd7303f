import { Webhook } from 'standardwebhooks'
import { expect, vi } from 'vitest'
import { resume } from '../../src/commands.ts'
import { createPost } from '../../src/post/post.ts'
import { runHook } from '../../src/runHook.ts'
import type { HookStore } from '../../src/store.ts'
import { createChain } from './chain.ts'
import { createIo, start, type TestIo } from './clock.ts'
import { otherSecret, secret, toHook } from './hook.ts'
import { type Answer, type Received, type Receiver, startReceiver } from './receiver.ts'

/** The share of answers that are no success, how often one of both sides is killed, and how often somebody forges. */
const faulty = 0.35
const killed = 0.01
const forged = 0.02

/** What marks a forgery for the test alone. Its receiver does not look at it. */
const forgeryMark = 'x-forged'

/** Events that pass a storm, and where how far they are is kept. */
export interface Storm {
  readonly events: number
  readonly random: () => number
  /** The store of a program that starts. The one before it is dead, or has stopped. */
  openStore(isAlive: () => boolean): Promise<HookStore>
}

/** What happened in a storm. */
export interface StormFigures {
  readonly events: number
  /** Messages that the receiver got from the programs. */
  readonly messages: number
  readonly faults: number
  readonly killedPrograms: number
  readonly killedReceivers: number
  readonly parked: number
  /** Events that the receiver never stored, and those that it stored again. */
  readonly lost: number
  readonly duplicates: number
  readonly forgeries: number
  readonly noticedForgeries: number
}

/** A receiver as the documentation has it: it stores what is signed, and refuses all else. */
const isGenuine = ({ headers, body }: Received, now: number): boolean => {
  vi.setSystemTime(now)
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

/** Sends what an attacker could, who has seen a message: it changed, signed by another secret, or it again much later. */
function forge({ url }: Receiver, { id, headers, body }: Received, random: () => number, now: () => number): void {
  const time = headers['webhook-timestamp'] ?? ''
  const sign = (by: string, seconds: string) => new Webhook(by).sign(id, new Date(1_000 * Number(seconds)), body)
  const old = String(Math.floor(now() / 1_000) - 600)
  const changed = { text: body.replace('record-', 'record-9'), time, signature: headers['webhook-signature'] ?? '' }
  const others = [
    { text: body, time, signature: sign(otherSecret, time) },
    { text: body, time: old, signature: sign(secret, old) },
  ]
  const forgery = others[Math.floor(3 * random())] ?? changed
  void fetch(url, {
    method: 'POST',
    headers: {
      ...{ 'webhook-id': id, 'webhook-timestamp': forgery.time, 'webhook-signature': forgery.signature },
      [forgeryMark]: 'yes',
    },
    body: forgery.text,
  }).catch(() => {})
}

/**
 * Sends events to a receiver that fails for a third of them, while it and the program are killed now and then and somebody
 * forges messages. Checks that none is lost, that they are in order, and that one that comes again has the same id.
 */
export async function passStorm({ events, random, openStore }: Storm): Promise<StormFigures> {
  const taken: { readonly id: string; readonly index: number }[] = []
  const counts = { messages: 0, faults: 0, killedPrograms: 0, killedReceivers: 0, parked: 0 }
  const forgeries = { sent: 0, noticed: 0 }
  let program: TestIo | undefined
  let kill = () => {}
  const now = () => program?.io.now() ?? start
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
    const isForged = forgeryMark in message.headers
    if (isForged) forgeries.sent += 1
    if (!isGenuine(message, now())) {
      // A genuine message that is refused here would be sent again for a day, and park its hook.
      forgeries.noticed += Number(isForged)
      response.writeHead(401).end()
      return
    }
    counts.messages += 1
    if (random() < forged) forge(receiver, message, random, now)
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
      counts.killedReceivers += 1
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
        if (isAlive) counts.killedPrograms += 1
        isAlive = false
        own.stop()
        resolve()
      }
    })
    const store = await openStore(() => isAlive)
    await Promise.race([runHook(hook, { io: own.io, client, post, store }), death])
    // What is kept, whether or not that program is alive.
    const kept = await openStore(() => true)
    const state = await kept.load(hook.name)
    isEnded = state.isEnded === true
    if (state.parked && isAlive) {
      counts.parked += 1
      await resume(hook.name, kept)
    }
  }
  const indexes = taken.map(({ index }) => index)
  expect([...new Set(indexes)]).toEqual(Array.from({ length: events }, (_, index) => index + 1))
  expect(indexes).toEqual(indexes.toSorted((one, other) => one - other))
  const ids = new Map(taken.map(({ index, id }) => [index, id]))
  expect(taken.every(({ index, id }) => ids.get(index) === id)).toBe(true)
  expect(new Set(ids.values()).size).toBe(events)
  return {
    ...{ events, ...counts, lost: events - ids.size, duplicates: taken.length - ids.size },
    ...{ forgeries: forgeries.sent, noticedForgeries: forgeries.noticed },
  }
}
