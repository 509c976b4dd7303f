import { rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { createClient } from '@portolan/client'
import { PortolanError } from '@portolan/client/errors'
import { expect, test } from 'vitest'
import { takeLock } from '#kit/lock/takeLock'
import { sandboxChains } from '../../../packages/sandbox/src/chains.ts'
import { startTestGateway } from '../../../src/testing.ts'
import { runHooks } from '../src/cli.ts'
import { resume, statusOf } from '../src/commands.ts'
import { createPost } from '../src/post/post.ts'
import { runAlone, runHook } from '../src/runHook.ts'
import { openStore } from '../src/store.ts'
import { createChain, createRandom } from './support/chain.ts'
import { createIo, type TestIo } from './support/clock.ts'
import { activityDocument, secret, startFolder, toHook } from './support/hook.ts'
import { accept, type Received, startReceiver } from './support/receiver.ts'

const now = Date.UTC(2026, 10, 21, 12)
const address = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
const startWorld = () =>
  startTestGateway({
    date: now,
    chains: sandboxChains.map((chain) => ({ ...chain, genesis: now - 100 * chain.blockTime })),
  })

/** Lets time pass until something is so. */
async function until(isSo: () => boolean, advance: () => Promise<void>): Promise<void> {
  while (!isSo()) await advance()
}

/** The hashes of an account's transactions on a chain from a time on, oldest first. */
async function hashesOf(url: string, chainId: string, since: string): Promise<readonly string[]> {
  const client = createClient({ url })
  const document = `query ($address: Address!, $filter: AccountActivityFilter) {
    account(address: $address) { activity(first: 40, filter: $filter, order: ASC) { nodes { hash } } }
  }`
  const data = await client.query<{ account: { activity: { nodes: { hash: string }[] } } }, object>(document, {
    address,
    filter: { chainIds: [chainId], since },
  })
  return data.account.activity.nodes.map(({ hash }) => hash)
}

interface Body {
  readonly type: string
  readonly cursor: string
  readonly data: {
    readonly chain: { readonly chainId: string }
    readonly node: { readonly hash: string; readonly timestamp: string }
  }
}
const bodyOf = ({ body }: Received): Body => JSON.parse(body)

const configOf = (url: string, receiver: string) =>
  JSON.stringify({
    ...{ url, allowPrivate: true },
    hooks: [{ name: 'treasury', url: receiver, secret, document: activityDocument, variables: { address } }],
  })

const cliIo = ({ io }: TestIo, out: string[] = []) => ({ ...io, env: {}, out: (text: string) => void out.push(text) })

test('the transactions of an account arrive in order, and a replay from a cursor brings them again with the same ids', async () => {
  await using world = await startWorld()
  await using receiver = await startReceiver()
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  writeFileSync(config, configOf(world.url, receiver.url))
  const first = createIo()
  const running = runHooks(['run', '--config', config], cliIo(first))
  await until(
    () => receiver.received.length >= 12,
    () => world.advance(4_000),
  )
  first.stop()
  expect(await running).toBe(0)
  const before = [...receiver.received]
  const chainIds = new Set(before.map((message) => bodyOf(message).data.chain.chainId))
  for (const chainId of chainIds) {
    const sent = before.map(bodyOf).filter(({ data }) => data.chain.chainId === chainId)
    const [oldest] = sent.map(({ data }) => data.node)
    const all = await hashesOf(world.url, chainId, oldest?.timestamp ?? '')
    const from = all.indexOf(oldest?.hash ?? '')
    expect(sent.map(({ data }) => data.node.hash)).toEqual(all.slice(from, from + sent.length))
  }
  expect(new Set(before.map(({ id }) => id)).size).toBe(before.length)

  const cursor = bodyOf(before[3] as Received).cursor
  const out: string[] = []
  const own = createIo()
  const toReplay = (from: string) =>
    runHooks(['replay', 'treasury', '--from', from, '--config', config], cliIo(own, out))
  // The last event can have been under way when the program was stopped.
  expect(await toReplay('garbage')).toBe(1)
  expect(own.lines.at(-1)).toMatch(/^treasury cannot continue after this cursor, and stays where it is\./)
  expect(out).toEqual([])
  expect(await toReplay(cursor)).toBe(0)
  const [, old = ''] = /^treasury continues after this cursor\.\nBefore, it was at (.+)\n$/.exec(out.join('')) ?? []
  expect(before.slice(-2).map((message) => bodyOf(message).cursor)).toContain(old)
  const second = createIo()
  receiver.received.length = 0
  const again = runHooks(['run', '--config', config], cliIo(second))
  // Each chain is in order, and the order between chains can be another one.
  const missing = () => {
    const replayed = new Set(receiver.received.map(({ id }) => id))
    return before.slice(4).filter(({ id }) => !replayed.has(id))
  }
  await until(
    () => missing().length === 0,
    () => world.advance(1_000),
  )
  second.stop()
  expect(await again).toBe(0)
})

test('what happens before the first event, while the program is stopped, is not missing', async () => {
  await using world = await startWorld()
  await using receiver = await startReceiver()
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  writeFileSync(config, configOf(world.url, receiver.url))
  using store = await openStore(`${config}.state`)
  const first = createIo()
  const running = runHooks(['run', '--config', config], cliIo(first))
  while ((await store.load('treasury')).cursor === undefined) await new Promise((resolve) => setImmediate(resolve))
  first.stop()
  await running
  expect(receiver.received).toEqual([])
  await world.advance(300_000)
  const second = createIo()
  const again = runHooks(['run', '--config', config], cliIo(second))
  await until(
    () => receiver.received.length >= 6,
    () => world.advance(1_000),
  )
  second.stop()
  await again
  const bodies = receiver.received.map(bodyOf)
  expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(['activity.record']))
  const early = receiver.received.filter(({ body }) => Date.parse(JSON.parse(body).timestamp) < now + 300_000)
  expect(early.length).toBeGreaterThan(3)
})

test('a hook begins while a chain is down, says so, and has the events of the chain when it is back', async () => {
  await using world = await startWorld()
  await using receiver = await startReceiver()
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  writeFileSync(config, configOf(world.url, receiver.url))
  world.sandbox.faults.set('lantern-1', '/', { kind: 'status', status: 503 })
  const own = createIo()
  const running = runHooks(['run', '--config', config], cliIo(own))
  await until(
    () => own.lines.length > 0,
    () => world.advance(1_000),
  )
  expect(own.lines[0]).toMatch(/^treasury: Data of lantern-1 is missing\. .+ Its events begin when it is back\.$/)
  world.sandbox.faults.clear()
  const chainsOf = () => receiver.received.map((each) => bodyOf(each).data?.chain.chainId)
  await until(
    () => chainsOf().includes('lantern-1'),
    () => world.advance(1_000),
  )
  own.stop()
  await running
  expect(own.lines).toHaveLength(1)
})

test('steps of bridge transfers that say the same have ids of their own, which a replay has again', async () => {
  await using world = await startWorld()
  await using receiver = await startReceiver()
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  const document =
    'subscription { bridgeTransfers(address: "init18r8wax2mksax5qe49mfsle6269m35fnhfctxg5") { chain { chainId } bridgeTransfers { bridge } } }'
  const hook = { name: 'treasury', url: receiver.url, secret, document }
  writeFileSync(config, JSON.stringify({ url: world.url, allowPrivate: true, hooks: [hook] }))
  const run = async (isEnough: () => boolean) => {
    const own = createIo()
    const running = runHooks(['run', '--config', config], cliIo(own))
    await until(isEnough, () => world.advance(2_000))
    own.stop()
    expect(await running).toBe(0)
  }
  await run(() => receiver.received.length >= 6)
  const before = [...receiver.received]
  expect(new Set(before.map(({ id }) => id)).size).toBe(before.length)
  const says = before.map((message) => JSON.stringify(bodyOf(message).data))
  expect(new Set(says).size).toBeLessThan(says.length)
  expect(says.join('')).not.toContain('portolan_')

  const cursor = bodyOf(before[0] as Received).cursor
  expect(await runHooks(['replay', 'treasury', '--from', cursor, '--config', config], cliIo(createIo()))).toBe(0)
  receiver.received.length = 0
  const missing = () => {
    const replayed = new Set(receiver.received.map(({ id }) => id))
    return before.slice(1).filter(({ id }) => !replayed.has(id))
  }
  await run(() => missing().length === 0)
  // It reads the transactions of an account for half a minute, and longer beside other tests.
}, 240_000)

test('after a restart, balances that have not changed are not sent again', async () => {
  await using world = await startWorld()
  await using receiver = await startReceiver()
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  const document =
    'subscription ($address: Address!) { balances(address: $address) { balances { balances { denom amount } } } }'
  const hook = { name: 'treasury', url: receiver.url, secret, document, variables: { address } }
  writeFileSync(config, JSON.stringify({ url: world.url, allowPrivate: true, hooks: [hook] }))
  const run = async (isEnough: () => boolean) => {
    const own = createIo()
    const running = runHooks(['run', '--config', config], cliIo(own))
    await until(isEnough, () => world.advance(1_000))
    own.stop()
    expect(await running).toBe(0)
  }
  await run(() => receiver.received.length >= 3)
  await run(() => receiver.received.length >= 6)
  await run(() => receiver.received.length >= 8)
  // What was under way when the program was stopped comes again, with its id.
  const states = new Map(receiver.received.map(({ id, body }) => [id, JSON.parse(body).data.balances]))
  expect(states.size).toBeGreaterThanOrEqual(6)
  const all = [...states.values()]
  for (const [index, each] of all.entries()) if (index > 0) expect(each).not.toEqual(all[index - 1])
})

/** A hook over a chain of three records, in a store of its own. */
async function startHook(folder: string, url: string) {
  const store = await openStore(folder)
  const client = createChain(3, createRandom(1))
  const hook = toHook({ url })
  const post = createPost({ allowsPrivate: true, ports: [] })
  const run = (own = createIo()) => runHook(hook, { io: own.io, client, post, store }).then(() => own)
  return { store, run }
}

test('a hook whose receiver refuses an event for a day is parked with it, until it is skipped or resumed', async () => {
  await using receiver = await startReceiver((message, response) =>
    message.body.includes('record-2') ? response.writeHead(400).end() : accept(message, response, response.req),
  )
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  writeFileSync(config, configOf('http://127.0.0.1:1/graphql', receiver.url))
  const { store, run } = await startHook(`${config}.state`, receiver.url)
  const { lines } = await run()
  expect(lines.at(-1)).toMatch(/^treasury: parked since 2026-11-22T12:00:00.000Z \(status 400\)/)
  const attempts = receiver.received.length
  expect(attempts).toBe(11)
  // It stays parked, also for a program that starts anew.
  await run()
  expect(receiver.received).toHaveLength(attempts)

  const out: string[] = []
  const command = (...argv: string[]) => runHooks([...argv, '--config', config], cliIo(createIo(), out))
  expect(await command('status')).toBe(0)
  expect(out.join('')).toMatch(/^treasury: parked since .* with evt_[\w-]{32}: status 400\n$/)
  await command('resume', 'treasury')
  await run()
  expect(receiver.received).toHaveLength(attempts + 10)
  await command('skip', 'treasury')
  await run()
  expect((await store.load('treasury')).isEnded).toBe(true)
  expect(receiver.received.at(-1)?.body).toContain('record-3')
  out.length = 0
  expect(await command('skipped', 'treasury')).toBe(0)
  expect(out.map((line) => JSON.parse(line).record.data.node.id)).toEqual(['record-2'])
})

test('a hook that has begun and has no cursor says that events are missing', async () => {
  await using receiver = await startReceiver()
  using folder = startFolder()
  const { store, run } = await startHook(folder.fileOf('state'), receiver.url)
  await store.save('treasury', { hasBegun: true })
  await run()
  expect(receiver.received.map((message) => bodyOf(message).type)).toEqual([
    'activity.gap',
    ...Array(3).fill('activity.record'),
  ])
})

test('two programs do not run the same hooks', async () => {
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  writeFileSync(config, configOf('http://127.0.0.1:1/graphql', 'http://127.0.0.1:1/'))
  const own = createIo()
  await using _lock = await takeLock(`${config}.state`, { ...own.io, err: () => {} })
  expect(await runHooks(['run', '--config', config], cliIo(own))).toBe(1)
  expect(own.lines.join('')).toBe(`Process ${process.pid} on ${hostname()} is writing ${config}.state. Stop it first.`)
  const out: string[] = []
  expect(await runHooks(['status', '--config', config], cliIo(own, out))).toBe(0)
  expect(out).toEqual(['treasury: nothing sent yet\n'])
  expect(statSync(`${config}.state`).mode & 0o777).toBe(0o600)
})

test('a program whose lock was taken over sends nothing more, and ends with 1', async () => {
  await using world = await startWorld()
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  await using receiver = await startReceiver((...asked) => {
    rmSync(`${config}.state.lock`, { force: true })
    accept(...asked)
  })
  writeFileSync(config, configOf(world.url, receiver.url))
  const own = createIo()
  let code: number | undefined
  const ended = runHooks(['run', '--config', config], cliIo(own)).then((ends) => {
    code = ends
  })
  await until(
    () => code !== undefined,
    () => world.advance(1_000),
  )
  await ended
  expect(code).toBe(1)
  expect(receiver.received).toHaveLength(1)
  expect(own.lines.at(-1)).toContain('was removed or taken over while this process was paused')
  using store = await openStore(`${config}.state`)
  expect((await store.load('treasury')).lastId).toBeUndefined()
})

test('a state that has not changed is not sent again', async () => {
  await using receiver = await startReceiver()
  using folder = startFolder()
  using store = await openStore(folder.fileOf('state'))
  const states = ['STARTED', 'STARTED', 'COMPLETED', 'COMPLETED']
  const subscribe = async function* () {
    for (const state of states) yield { kind: 'data', data: { transfer: { state } } }
    yield { kind: 'end' }
  }
  const document = 'subscription { transfer(chainId: "a", hash: "b") { state } }'
  const hook = toHook({ url: receiver.url, document })
  const post = createPost({ allowsPrivate: true, ports: [] })
  await runHook(hook, { io: createIo().io, client: { subscribe } as never, post, store })
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.state)).toEqual(['STARTED', 'COMPLETED'])
})

/** A chain whose subscription fails so many times. */
function createFailing(error: Error, failures: number) {
  const chain = createChain(3, createRandom(1))
  let left = failures
  const subscribe = (...args: Parameters<typeof chain.subscribe>) => {
    left -= 1
    if (left >= 0) throw error
    return chain.subscribe(...args)
  }
  return { ...chain, subscribe } as never
}

test('a subscription that fails begins again in a minute', async () => {
  await using receiver = await startReceiver()
  using folder = startFolder()
  const { store } = await startHook(folder.fileOf('state'), receiver.url)
  const own = createIo()
  const post = createPost({ allowsPrivate: true, ports: [] })
  const client = createFailing(new PortolanError('UPSTREAM_UNAVAILABLE', 'The indexer is down.'), 2)
  expect(await runHook(toHook({ url: receiver.url }), { io: own.io, client, post, store })).toBe('ended')
  expect(own.waits).toEqual([60_000, 60_000])
  expect(own.lines[0]).toBe(
    'treasury: stopped. The indexer is down. (UPSTREAM_UNAVAILABLE) It begins again in a minute.',
  )
  expect(receiver.received).toHaveLength(3)
})

test.each([
  'GRAPHQL_VALIDATION_FAILED',
  'GRAPHQL_PARSE_FAILED',
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'DOCUMENT_NOT_TRUSTED',
  'QUERY_TOO_COMPLEX',
])('what can never get better stops with the sentence of the gateway (%s)', async (code) => {
  await using receiver = await startReceiver()
  using folder = startFolder()
  const { store } = await startHook(folder.fileOf('state'), receiver.url)
  const own = createIo()
  const post = createPost({ allowsPrivate: true, ports: [] })
  const client = createFailing(new PortolanError(code, 'Did you mean\n"summary"?'), 1)
  const run = () => runHook(toHook({ url: receiver.url }), { io: own.io, client, post, store })
  expect(await run()).toBe('refused')
  expect(own.waits).toEqual([])
  const reason = `Did you mean "summary"? (${code})`
  expect(own.lines).toEqual([`treasury: stopped, since the gateway refuses its subscription. ${reason}`])
  expect(await statusOf('treasury', store)).toBe(
    `treasury: stopped since 2026-11-21T12:00:00.000Z, the gateway refuses it: ${reason}`,
  )
  // A program that starts again tries again, and says that it does.
  expect(await run()).toBe('ended')
  expect(own.lines[1]).toContain('It is tried again.')
  expect((await store.load('treasury')).refused).toBeUndefined()
})

test('a state that cannot be read is read again in a minute', async () => {
  await using receiver = await startReceiver()
  using folder = startFolder()
  const { store } = await startHook(folder.fileOf('state'), receiver.url)
  let failures = 2
  const load = (name: string) => {
    failures -= 1
    return failures >= 0 ? Promise.reject(Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' })) : store.load(name)
  }
  const own = createIo()
  const client = createChain(3, createRandom(1))
  const post = createPost({ allowsPrivate: true, ports: [] })
  await runAlone(toHook({ url: receiver.url }), { io: own.io, client, post, store: { ...store, load } })
  expect(own.waits).toEqual([60_000, 60_000])
  expect(own.lines[0]).toBe('treasury: its state cannot be read (SQLITE_BUSY).')
  expect(receiver.received).toHaveLength(3)
})

test('a state that is no database is an error that names it', async () => {
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  writeFileSync(config, configOf('http://127.0.0.1:1/graphql', 'http://127.0.0.1:1/'))
  const own = createIo()
  expect(await runHooks(['run', '--config', config, '--state', config], cliIo(own))).toBe(1)
  expect(own.lines).toEqual([`${config} cannot be opened: file is not a database.`])
})

test('one bad hook does not stop the others, and the exit code says that one was refused when none is left', async () => {
  await using world = await startWorld()
  await using receiver = await startReceiver()
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  const write = (...documents: readonly string[]) => {
    const parts = { url: receiver.url, secret, variables: { address } }
    const hooks = documents.map((document, index) => ({ ...parts, name: `hook-${index}`, document }))
    writeFileSync(config, JSON.stringify({ url: world.url, allowPrivate: true, hooks }))
  }
  const bad = 'subscription ($address: Address!) { activity(address: $address) { node { actions { sumary } } } }'
  write(bad, activityDocument)
  const first = createIo()
  const running = runHooks(['run', '--config', config], cliIo(first))
  await until(
    () => receiver.received.length >= 3 && first.lines.length > 0,
    () => world.advance(4_000),
  )
  first.stop()
  expect(await running).toBe(0)
  expect(first.lines[0]).toMatch(
    /^hook-0: stopped, since the gateway refuses its subscription\. .*"sumary".*\(GRAPHQL_VALIDATION_FAILED\)$/,
  )
  expect(first.lines.at(-1)).toBe('The gateway has refused hook-0: see portolan-hooks status.')

  // Its address is none. `bad` says so again, once.
  write(bad, 'subscription { activity(address: "nobody") { node { hash } } }')
  const second = createIo()
  expect(await runHooks(['run', '--config', config], cliIo(second))).toBe(1)
  expect(second.lines.join('\n')).toContain('hook-0: the gateway refused it before')
  expect(second.lines.join('\n')).toMatch(
    /hook-1: stopped, since the gateway refuses its subscription\..*BAD_USER_INPUT/,
  )
  expect(second.lines.at(-1)).toBe('The gateway has refused hook-0, hook-1: see portolan-hooks status.')
})

test('a subscription of states has no replay', async () => {
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  const hook = { name: 'heads', url: 'http://127.0.0.1:1/', secret, document: 'subscription { chainHeads { height } }' }
  writeFileSync(config, JSON.stringify({ url: 'http://127.0.0.1:1/graphql', allowPrivate: true, hooks: [hook] }))
  const own = createIo()
  expect(await runHooks(['replay', 'heads', '--from', 'a', '--config', config], cliIo(own))).toBe(1)
  expect(own.lines).toEqual(['heads follows chainHeads, whose states have no cursors: it has no replay.'])
})

test('without its gateway, a replay changes nothing', async () => {
  using folder = startFolder()
  const config = folder.fileOf('hooks.json')
  writeFileSync(config, configOf('http://127.0.0.1:1/graphql', 'http://127.0.0.1:1/'))
  using store = await openStore(`${config}.state`)
  await store.save('treasury', { hasBegun: true, cursor: 'good' })
  const own = createIo()
  let code: number | undefined
  const running = runHooks(['replay', 'treasury', '--from', 'a', '--config', config], cliIo(own)).then((ends) => {
    code = ends
  })
  await until(
    () => code !== undefined,
    async () => {
      await new Promise((resolve) => setImmediate(resolve))
      own.advance(10_000)
    },
  )
  await running
  expect(code).toBe(1)
  expect(own.lines.join('')).toContain('The gateway does not answer.')
  expect(await store.load('treasury')).toEqual({ hasBegun: true, cursor: 'good' })
})

test('an event that waits is sent at once after resume', async () => {
  await using receiver = await startReceiver()
  using folder = startFolder()
  const { store, run } = await startHook(folder.fileOf('state'), receiver.url)
  const attempts = { id: 'evt_1', count: 3, nextAt: now + 7_200_000, reason: 'status 503' }
  await store.save('treasury', { hasBegun: true, cursor: '0 start', attempts })
  expect(await statusOf('treasury', store)).toBe(
    'treasury: sends evt_1 again at 2026-11-21T14:00:00.000Z, attempt 3 failed: status 503',
  )
  expect(await resume('treasury', store)).toBe('treasury continues with evt_1.')
  expect((await run()).waits).toEqual([])
  expect(receiver.received).toHaveLength(3)
  expect(await resume('treasury', store)).toBe('treasury is not parked, and no event waits.')
})

test.each(['run', 'status', 'replay', 'resume', 'skip', 'skipped'])('%s --help is its own', async (name) => {
  const out: string[] = []
  expect(await runHooks([name, '--help'], cliIo(createIo(), out))).toBe(0)
  expect(out.join('')).toContain(`\n  portolan-hooks ${name} `)
  const others: string[] = []
  expect(await runHooks(['--help'], cliIo(createIo(), others))).toBe(0)
  expect(others.join('')).not.toBe(out.join(''))
  expect(others.join('')).toContain(`\n  ${name.padEnd(8)} `)
})

test.each([
  [[], 'Name one command'],
  [['run'], '--config'],
  [['run', 'treasury', '--config', 'FILE'], 'for all hooks'],
  [['skip', 'other', '--config', 'FILE'], 'Name one of the hooks: treasury'],
  [['skipped', '--config', 'FILE'], 'Name one of the hooks: treasury'],
  [['replay', 'treasury', '--config', 'FILE'], '--from'],
  [['skip', 'treasury', '--from', 'a', '--config', 'FILE'], '--from'],
])('wrong options end with 2 (%j)', async (argv, reason) => {
  using folder = startFolder()
  const file = folder.fileOf('hooks.json')
  writeFileSync(file, configOf('http://127.0.0.1:1/graphql', 'http://127.0.0.1:1/'))
  const own = createIo()
  const code = await runHooks(
    argv.map((word) => (word === 'FILE' ? file : word)),
    cliIo(own),
  )
  expect(code).toBe(2)
  expect(own.lines.join('').split('\n\n')[0]).toContain(reason)
})
