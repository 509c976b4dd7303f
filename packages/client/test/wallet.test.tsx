import './support/dom.ts'
import { StrictMode, version } from 'react'
import { createRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sandboxChains } from '../../sandbox/src/chains.ts'
import { createWorld } from '../../sandbox/src/world/world.ts'
import type { Client } from '../src/client.ts'
import { ClientProvider, useConnectionStatus } from '../src/react.ts'
import { type ActivityRow, useActivity, useTransfer } from '../src/wallet.ts'
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

const soon = (check: () => void) => vi.waitFor(check, 20_000)

test('the React version is that of the project', ({ task }) => {
  expect(version).toMatch(task.file.projectName === 'react18' ? /^18\./ : /^19\./)
})

test('useTransfer shows each state despite lost connections', async () => {
  const hash = `${version.startsWith('18') ? '18' : '19'}${'c7'.repeat(30)}01`
  const states: string[] = []
  let ended = ''
  const unmount = show(clientOf(world, { resumes: {} }), () => {
    const { data, status } = useTransfer({ chainId: 'osmosis-1', hash })
    if (data && states.at(-1) !== data.state) states.push(data.state)
    ended = status
    return data?.hops.length ?? 0
  })
  await soon(() => expect(states[0]).toBe('SUBMITTED'))
  world.proxy.cut()
  await soon(() => expect(states.at(-1)).toBe('COMPLETED_SUCCESS'))
  await soon(() => expect(ended).toBe('ended'))
  unmount()
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
