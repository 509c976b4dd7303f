import { makeAccount } from '../../packages/sandbox/src/address.ts'
import { createWorld } from '../../packages/sandbox/src/world/world.ts'
import { readExample } from './examples.ts'
import { startRouterWorld, type Watch } from './routerWorld.ts'
import { type Data, youngChains } from './world.ts'

// What a frontend polls today, beside the subscription that replaces it. Both are counted at the same
// upstreams, over the same minute.

/** Asks a service of the sandbox, as a frontend does. Null for a status other than 200. */
type Rest = (service: string, target: string, body?: object) => Promise<Data>

interface PolledScreen {
  /** Milliseconds between two polls. */
  readonly every: number
  /** The variables of a viewer. */
  readonly variables: (viewer: number) => Record<string, unknown>
  /** One poll. Returns whether it was the last. */
  readonly poll: (rest: Rest, variables: Data) => Promise<boolean>
}

const chainIds = ['harbor-1', 'galley-1', 'lantern-1'] as const
const blocks = '/indexer/block/v1/blocks?pagination.reverse=true&pagination.limit='
const transactions = '/indexer/tx/v1/txs'

const each = async <T>(items: readonly T[], send: (item: T) => Promise<unknown>) => {
  for (const item of items) await send(item)
  return false
}

/** A hash of 64 digits whose last two choose the course of its transfer. */
const transferHash = (viewer: number, index: number, ending: string) =>
  `${viewer.toString(16)}f${index.toString(16)}`.padStart(62, '0').concat(ending).toUpperCase()

/** The transactions of the EVM chain that are in blocks to come, as if each was just broadcast. */
const comingTransactions: readonly string[] = youngChains(60)
  .filter(({ chainId }) => chainId === 'galley-1')
  .flatMap((chain) => {
    const world = createWorld(chain, 'portolan', () => Number.MAX_SAFE_INTEGER)
    return [62, 63, 64].flatMap((height) => world.transactionsAt(height))
  })
  .map(({ hash }) => hash)

const isEnded = (status: Data) => /COMPLETED|ABANDONED/.test(status?.state ?? '')

const statusOf = (rest: Rest, { chainId, hash }: Data): Promise<Data> =>
  rest('router', `/v2/tx/status?tx_hash=${hash}&chain_id=${chainId}`)

const track = (rest: Rest, { chainId, hash }: Data): Promise<Data> =>
  rest('router', '/v2/tx/track', { tx_hash: hash, chain_id: chainId })

/** The screens that are polled today, by the example that replaces each. */
export const polledScreens: Readonly<Record<string, PolledScreen>> = {
  'live-heads': {
    every: 5_000,
    variables: () => ({}),
    poll: (rest) => each(chainIds, (chainId) => rest(chainId, `${blocks}1`)),
  },
  'live-blocks': {
    every: 5_000,
    variables: () => ({ chainId: 'galley-1' }),
    poll: (rest) => each(['galley-1'], (chainId) => rest(chainId, `${blocks}10`)),
  },
  'live-activity': {
    every: 5_000,
    // The first 48 own something on these chains.
    variables: (viewer) => ({
      address: makeAccount('init', 20, 'portolan', 'person', viewer).bech32,
    }),
    poll: (rest, { address }) =>
      each(chainIds, (chainId) =>
        rest(chainId, `${transactions}/by_account/${address}?pagination.limit=10&pagination.reverse=true`),
      ),
  },
  'live-transaction': {
    every: 1_000,
    variables: (viewer) => ({
      chainId: 'galley-1',
      hash: comingTransactions[viewer % comingTransactions.length],
    }),
    poll: async (rest, { chainId, hash }) => (await rest(chainId, `${transactions}/${hash}`)) !== null,
  },
  'watch-transfer': {
    every: 1_000,
    variables: (viewer) => ({ chainId: 'harbor-1', hash: transferHash(viewer, 0, '01') }),
    poll: async (rest, transfer) => isEnded((await statusOf(rest, transfer)) ?? (await track(rest, transfer))),
  },
  'transfer-history': {
    every: 5_000,
    variables: (viewer) => ({
      transfers: ['00', '01', '02', 'E0', 'E1', 'E3', 'E4', 'E5', 'E6', 'EB'].map((ending, index) => ({
        chainId: 'harbor-1',
        hash: transferHash(viewer, index, ending),
      })),
    }),
    poll: async (rest, { transfers }) => {
      let open = 0
      for (const transfer of transfers) {
        if (transfer.isEnded) continue
        transfer.isEnded = isEnded((await statusOf(rest, transfer)) ?? (await track(rest, transfer)))
        if (!transfer.isEnded) open += 1
      }
      return open === 0
    },
  },
}

const minute = 60_000

const screenOf = (name: string): PolledScreen => {
  const screen = polledScreens[name]
  if (!screen) throw new Error(`no screen ${name}`)
  return screen
}

/** Requests that one viewer of these screens sends in a minute today. Viewers share nothing. */
export async function countPolls(names: readonly string[]): Promise<number> {
  await using world = await startRouterWorld()
  const urls = new Map<string, string>([['router', world.sandbox.routerUrl]])
  for (const { chainId, url } of world.sandbox.indexers) urls.set(chainId, url)
  const rest: Rest = async (service, target, body) => {
    const response = await fetch(
      `${urls.get(service)}${target}`,
      body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    )
    const text = await response.text()
    return response.ok ? JSON.parse(text) : null
  }
  const open = names.map((name) => {
    const screen = screenOf(name)
    return { screen, variables: screen.variables(0), isDone: false }
  })
  let sent = 0
  for (let time = 0; time < minute; time += 1_000) {
    for (const view of open) {
      if (view.isDone || time % view.screen.every !== 0) continue
      view.isDone = await view.screen.poll(rest, view.variables)
    }
    sent += world.sandbox.requests.splice(0).length
    await world.clock.advance(1_000)
  }
  return sent
}

/** Requests that the upstreams get in a minute from subscriptions of the same viewers, and the events. */
export async function countWatches(
  names: readonly string[],
  viewers: number,
): Promise<{ readonly sent: number; readonly watches: readonly Watch[] }> {
  await using world = await startRouterWorld()
  const watches = await Promise.all(
    names.flatMap((name) =>
      Array.from({ length: viewers }, (_, viewer) =>
        world.watch(readExample(name).text, screenOf(name).variables(viewer), `10.0.3.${viewer}`),
      ),
    ),
  )
  await world.clock.advance(minute - 1)
  return { sent: world.sandbox.requests.length, watches }
}
