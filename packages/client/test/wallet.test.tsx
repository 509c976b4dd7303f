import './support/dom.ts'
import { StrictMode, version } from 'react'
import { createRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sandboxChains } from '../../sandbox/src/chains.ts'
import { createWorld } from '../../sandbox/src/world/world.ts'
import type { Client } from '../src/client.ts'
import { ClientProvider, useConnectionStatus } from '../src/react.ts'
import { type ActivityPage, type ActivityRow, useActivity, useTransfer } from '../src/wallet.ts'
import { chainId, clientOf, startWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const address = () => {
  const chain = sandboxChains.find((one) => one.chainId === chainId)
  if (!chain) throw new Error('no chain')
  return createWorld(chain, 'portolan', Date.now).fixtures.feeCollector.hex
}

/** An account with transactions on all chains. */
const traveller = () => {
  const users = sandboxChains.map((chain) =>
    createWorld(chain, 'portolan', Date.now).fixtures.users.map(({ hex }) => hex),
  )
  const found = users[0]?.find((user) => users.every((others) => others.includes(user)))
  if (!found) throw new Error('no account is on all chains')
  return found
}

const inProvider = (client: Client, Component: () => React.ReactNode) => (
  <StrictMode>
    <ClientProvider value={client}>
      <Component />
    </ClientProvider>
  </StrictMode>
)

function show(client: Client, Component: () => React.ReactNode) {
  const element = document.createElement('div')
  const root = createRoot(element)
  root.render(inProvider(client, Component))
  return () => root.unmount()
}

const soon = (check: () => void | Promise<void>) => vi.waitFor(check, 20_000)

test('the React version is that of the project', ({ task }) => {
  expect(version).toMatch(task.file.projectName === 'react18' ? /^18\./ : /^19\./)
})

test('useTransfer shows the states in their order despite lost connections', async () => {
  const hash = `${version.startsWith('18') ? '18' : '19'}${'c7'.repeat(30)}01`
  const states: string[] = []
  let ended = ''
  const unmount = show(clientOf(world, { resumes: {} }), () => {
    const { data, status } = useTransfer({ chainId: 'osmosis-1', hash })
    if (data && states.at(-1) !== data.state) states.push(data.state)
    ended = status
    return data?.hops.length ?? 0
  })
  await soon(() => expect(states.length).toBeGreaterThan(0))
  world.proxy.cut()
  await soon(() => expect(states.at(-1)).toBe('COMPLETED_SUCCESS'))
  await soon(() => expect(ended).toBe('ended'))
  unmount()
  // Time runs fast here, so a busy machine can miss a state, but none is shown out of its order.
  const inOrder = ['SUBMITTED', 'PENDING', 'COMPLETED_SUCCESS']
  expect(states).toEqual(inOrder.filter((state) => states.includes(state)))
})

test('useActivity shows live rows and pages without loss or repeats', async () => {
  const whose = address()
  const client = clientOf(world, { resumes: {} })
  let rows: readonly ActivityRow[] = []
  let more = async () => {}
  const unmount = show(client, () => {
    const list = useActivity({ address: whose, chainIds: [chainId], pageSize: 4 })
    rows = list.rows
    more = list.loadMore
    return rows.length
  })
  await soon(() => expect(rows.length).toBeGreaterThan(4))
  world.proxy.cut()
  await more()
  await soon(() => expect(rows.length).toBeGreaterThan(12))
  unmount()
  const shown = rows.map(({ hash }) => hash)
  const { account } = await client.query<{ account: { activity: { nodes: { hash: string }[] } } }, object>(
    `query ($address: Address!) { account(address: $address) {
      activity(first: 100, filter: { chainIds: ["${chainId}"] }) { nodes { hash } } } }`,
    { address: whose },
  )
  const all = account.activity.nodes.map(({ hash }) => hash)
  const start = all.indexOf(shown[0] ?? '')
  expect(shown).toEqual(all.slice(start, start + shown.length))
  expect(rows[0]).toMatchObject({ chain: { chainId }, timestamp: expect.any(String) })
  expect(rows.flatMap(({ actions }) => actions ?? [])[0]?.title).toMatch(/\w/)
})

test('useActivity says which chain is missing, and has its rows in their order once it is back', async () => {
  const client = clientOf(world, { resumes: {} })
  const whose = traveller()
  let list: ReturnType<typeof useActivity> | undefined
  const chains = () => new Set(list?.rows.map(({ chain }) => chain.chainId))
  world.sandbox.faults.set('lantern-1', '/', { kind: 'status', status: 503 })
  const unmount = show(client, () => {
    list = useActivity({ address: whose, pageSize: 10 })
    return list.rows.length
  })
  try {
    await soon(() => expect(list?.error?.unavailableChains).toMatchObject([{ chainId: 'lantern-1' }]))
    expect(list?.error?.message).toContain('Data of lantern-1 is missing.')
    await list?.loadMore()
    await soon(() => expect(list?.rows.length).toBeGreaterThanOrEqual(20))
    expect(chains().has('lantern-1')).toBe(false)
    world.sandbox.faults.clear()
    // The page is shown again, which ends each wait. The gateway asks a failing chain only now and then.
    await soon(() => {
      document.dispatchEvent(new window.Event('visibilitychange'))
      expect(list?.error).toBeUndefined()
    })
    expect(chains().has('lantern-1')).toBe(true)
    const rows = list?.rows ?? []
    expect(rows.length).toBeGreaterThanOrEqual(20)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    await soon(async () => {
      const all = await client.query<ActivityPage, object>(
        `query ($address: Address!) { account(address: $address) { activity(first: 100) { nodes { id } } } }`,
        { address: whose },
      )
      const ids = all.account.activity?.nodes.map((node) => node?.id) ?? []
      const shown = rows.map(({ id }) => id)
      // Two pages. What came live is above them as it came: an indexer that is behind has an older row later.
      const pages = shown.slice(-20)
      expect(ids.filter((id) => pages.includes(id ?? ''))).toEqual(pages)
      const end = ids.indexOf(pages.at(-1)) + 1
      expect(ids.slice(end - shown.length, end).toSorted()).toEqual(shown.toSorted())
    })
  } finally {
    world.sandbox.faults.clear()
    unmount()
  }
})

test('server rendering shows the initial state and opens no connection', () => {
  const before = world.proxy.opened
  const html = renderToString(
    inProvider(clientOf(world), () => {
      const transfer = useTransfer({ chainId: 'osmosis-1', hash: '00' })
      const activity = useActivity({ address: '0x00' })
      const status = useConnectionStatus()
      return [transfer.status, activity.rows.length, status].join(' ')
    }),
  )
  expect(html).toBe('connecting 0 live')
  expect(world.proxy.opened).toBe(before)
})
