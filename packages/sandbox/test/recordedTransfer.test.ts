import { expect, test } from 'vitest'
import { sandboxChains } from '../src/chains.ts'
import { createRouter } from '../src/router/router.ts'
import { createWorld } from '../src/world/world.ts'
import { end, type Told, toldBy, worlds } from './support/chronicle.ts'
import { dig, list } from './support/sandboxRouter.ts'

// What the router says of transactions that are on the chains of the sandbox.

/** A router at a time that the test moves, over chains at that time. */
function routerAt(timeMs: number) {
  let now = timeMs
  const chains = sandboxChains.map((chain) => createWorld(chain, 'portolan', () => now))
  const handle = createRouter({ worlds: chains, clock: () => now, seed: 'portolan' })
  const ask = async (method: string, path: string, ids: { readonly tx_hash: string; readonly chain_id: string }) => {
    const body = method === 'POST' ? JSON.stringify(ids) : ''
    const { status, json } = await handle({ method, path, query: new URLSearchParams(ids), body, headers: {} })
    return { status, json }
  }
  return {
    chains,
    track: (chain_id: string, tx_hash: string) => ask('POST', '/v2/tx/track', { chain_id, tx_hash }),
    status: (chain_id: string, tx_hash: string) => ask('GET', '/v2/tx/status', { chain_id, tx_hash }),
    setTime(next: number) {
      now = next
    },
  }
}

/** The number of a packet, deposit or withdrawal as events of both chains have it. The rollup that a withdrawal is from is known by its bridge. */
const keyOf = ({ chainId, attributes }: Told): string => {
  const { packet_source_client, packet_dest_client, packet_sequence, l1_sequence, l2_sequence } = attributes
  if (packet_source_client) return [packet_source_client, packet_dest_client, packet_sequence].join(' ')
  if (packet_sequence)
    return ['src_channel', 'dst_channel', 'sequence'].map((name) => attributes[`packet_${name}`]).join(' ')
  if (l1_sequence) return `deposit ${l1_sequence}`
  const rollup = worlds.find(({ chain }) => String(chain.bridgeId) === attributes.bridge_id)?.chain.chainId ?? chainId
  return `withdrawal ${l2_sequence} of ${rollup}`
}

/** The slots of a hop, and the events of which its transaction has to have one. */
const slots = {
  send_tx: ['send_packet', 'initiate_token_deposit', 'initiate_token_withdrawal'],
  receive_tx: ['recv_packet', 'finalize_token_deposit', 'finalize_token_withdrawal'],
  acknowledge_tx: ['acknowledge_packet'],
  timeout_tx: ['timeout_packet'],
}

const told = worlds.flatMap((world) => toldBy(world, 1))
const byHash = new Map<string, Told[]>()
const bySlot = new Map<string, Told>()
for (const one of told) {
  byHash.set(one.hash, [...(byHash.get(one.hash) ?? []), one])
  const [slot] = Object.entries(slots).find(([, types]) => types.includes(one.type)) ?? []
  if (slot) bySlot.set(`${slot} ${keyOf(one)}`, one)
}

/** The hops of the first transfer of a status, and the keys of their bridges. */
const hopsIn = (json: unknown) =>
  list(dig(json, 'transfer_sequence')).map((hop) => {
    const [key = ''] = Object.keys(hop ?? {})
    const inner = dig(hop, key)
    return { key, inner, named: dig(inner, 'packet_txs') ?? dig(inner, 'txs') }
  })

/** The state of a transfer and of its hops, in short. */
const statesIn = (json: unknown): string => {
  const hops = hopsIn(json).map(({ inner }) => `${dig(inner, 'state')}`.replace('TRANSFER_', ''))
  const released = dig(json, 'transfer_asset_release', 'released')
  const place = released === undefined ? '' : ` ${released ? 'released' : 'not released'}`
  return `${`${dig(json, 'state')}`.replace('STATE_', '')}: ${hops.join(', ')}${place}`
}

const ofStretch = worlds.flatMap(({ chain, transactions, height }) => {
  const first = transactions.lastAt(height() - Math.floor((40 * 60_000) / chain.blockTime)) + 1
  return Array.from({ length: transactions.lastAt(height()) - first + 1 }, (_, index) => ({
    chainId: chain.chainId,
    record: transactions.record(first + index),
  }))
})

test('each transaction of thousands of blocks is told by the records of the chains, and no other has a route', async () => {
  const router = routerAt(end)
  for (const { chainId, record } of ofStretch) {
    const { txhash: hash, code } = record
    const sent = (byHash.get(hash) ?? []).filter(({ type }) => slots.send_tx.includes(type))
    const tracked = await router.track(chainId, hash)
    const { status, json } = await router.status(chainId, hash)
    if (code !== 0 || sent.length === 0) {
      expect([tracked.status, status], hash).toEqual([code === 0 ? 404 : 400, 404])
      continue
    }
    expect([tracked.status, status], hash).toEqual([200, 200])
    const hops = hopsIn(json)
    expect(dig(hops[0]?.named, 'send_tx', 'tx_hash')).toBe(hash)
    for (const { inner, named } of hops) {
      const start = byHash.get(`${dig(named, 'send_tx', 'tx_hash')}`)?.find(({ type }) => slots.send_tx.includes(type))
      if (!start) throw new Error(`${hash} has no start`)
      expect(start.chainId).toBe(dig(inner, 'from_chain_id'))
      // What the chains have of this hop, and nothing else.
      for (const slot of Object.keys(slots)) {
        const found = bySlot.get(`${slot} ${keyOf(start)}`)
        const entry = found && {
          chain_id: found.chainId,
          tx_hash: found.hash,
          explorer_link: expect.stringContaining(found.hash),
          on_chain_at: `${new Date(found.timeMs).toISOString().slice(0, 19)}Z`,
        }
        expect(dig(named, slot) ?? null, `${hash} ${slot}`).toEqual(entry ?? null)
      }
    }
    expectRelease(json, hash)
  }
})

/** Expects that funds are where a transaction of the last or the first hop gave them to an account. */
function expectRelease(json: unknown, hash: string) {
  const release = dig(json, 'transfer_asset_release')
  const state = dig(json, 'state')
  if (state === 'STATE_PENDING') expect(release).toBeNull()
  if (release === null || !dig(release, 'released')) return
  const hops = hopsIn(json)
  const end = state === 'STATE_COMPLETED_SUCCESS' ? hops.at(-1)?.named : hops[0]?.named
  const slot =
    state === 'STATE_COMPLETED_SUCCESS'
      ? dig(end, 'receive_tx')
      : (dig(end, 'acknowledge_tx') ?? dig(end, 'timeout_tx'))
  const gave = byHash.get(`${dig(slot, 'tx_hash')}`) ?? []
  const coins = gave.filter(({ type }) => type === 'coin_received').map(({ attributes }) => attributes.amount)
  expect(coins, hash).toContain(`${dig(release, 'amount')}${dig(release, 'denom')}`)
  expect(dig(release, 'chain_id')).toBe(gave[0]?.chainId)
}

test('a status follows what has happened so far', async () => {
  const router = routerAt(end)
  const journeys: Record<string, string[]> = {}
  for (const { chainId, record } of ofStretch) {
    const { txhash: hash } = record
    const [first] = byHash.get(hash) ?? []
    if (!first || first.timeMs > end - 10 * 60_000) continue
    router.setTime(end)
    if ((await router.track(chainId, hash)).status !== 200) continue
    const { json } = await router.status(chainId, hash)
    const [hop] = hopsIn(json)
    const name = `${hop?.key}, ${dig(hop?.named, 'timeout_tx') ? 'late, ' : ''}${statesIn(json)}`
    if (journeys[name]) continue
    journeys[name] = []
    for (let time = first.timeMs; time <= end && time < first.timeMs + 6 * 60_000; time += 1_000) {
      router.setTime(time)
      const at = statesIn((await router.status(chainId, hash)).json)
      if (journeys[name].at(-1) !== at) journeys[name].push(at)
    }
  }
  expect(journeys).toMatchInlineSnapshot(`
    {
      "eureka_transfer, COMPLETED_ERROR: FAILURE released": [
        "PENDING: PENDING",
        "PENDING_ERROR: PENDING_ERROR not released",
        "COMPLETED_ERROR: FAILURE released",
      ],
      "eureka_transfer, COMPLETED_SUCCESS: SUCCESS released": [
        "PENDING: PENDING",
        "COMPLETED_SUCCESS: RECEIVED released",
        "COMPLETED_SUCCESS: SUCCESS released",
      ],
      "ibc_transfer, COMPLETED_ERROR: FAILURE": [
        "PENDING: PENDING",
        "PENDING_ERROR: PENDING_ERROR",
        "COMPLETED_ERROR: FAILURE",
      ],
      "ibc_transfer, COMPLETED_ERROR: FAILURE released": [
        "PENDING: PENDING",
        "PENDING_ERROR: PENDING_ERROR not released",
        "COMPLETED_ERROR: FAILURE released",
      ],
      "ibc_transfer, COMPLETED_ERROR: FAILURE, FAILURE released": [
        "PENDING: PENDING",
        "PENDING: RECEIVED, PENDING",
        "PENDING_ERROR: RECEIVED, PENDING_ERROR not released",
        "PENDING_ERROR: PENDING_ERROR, FAILURE not released",
        "COMPLETED_ERROR: FAILURE, FAILURE released",
      ],
      "ibc_transfer, COMPLETED_SUCCESS: SUCCESS released": [
        "PENDING: PENDING",
        "COMPLETED_SUCCESS: RECEIVED released",
        "COMPLETED_SUCCESS: SUCCESS released",
      ],
      "ibc_transfer, COMPLETED_SUCCESS: SUCCESS, SUCCESS released": [
        "PENDING: PENDING",
        "PENDING: RECEIVED, PENDING",
        "COMPLETED_SUCCESS: RECEIVED, RECEIVED released",
        "COMPLETED_SUCCESS: RECEIVED, SUCCESS released",
        "COMPLETED_SUCCESS: SUCCESS, SUCCESS released",
      ],
      "ibc_transfer, PENDING: PENDING": [
        "PENDING: PENDING",
      ],
      "ibc_transfer, late, COMPLETED_ERROR: FAILURE released": [
        "PENDING: PENDING",
        "COMPLETED_ERROR: FAILURE released",
      ],
      "op_init_transfer, COMPLETED_SUCCESS: OPINIT_RECEIVED": [
        "PENDING: OPINIT_SENT",
        "COMPLETED_SUCCESS: OPINIT_RECEIVED",
      ],
      "op_init_transfer, COMPLETED_SUCCESS: OPINIT_RECEIVED released": [
        "PENDING: OPINIT_SENT",
        "COMPLETED_SUCCESS: OPINIT_RECEIVED released",
      ],
      "op_init_transfer, PENDING: OPINIT_SENT": [
        "PENDING: OPINIT_SENT",
      ],
    }
  `)
})

test('a transaction has no status before its block, on another chain, or by its EVM hash', async () => {
  const sent = told.find(({ type, chainId }) => chainId === 'galley-1' && type === 'send_packet')
  if (!sent) throw new Error('nothing was sent')
  const { chainId, hash, timeMs } = sent
  const router = routerAt(timeMs - 1)
  const codes = async (at: string, of: string) => [
    (await router.track(at, of)).status,
    (await router.status(at, of)).status,
  ]
  expect(await codes(chainId, hash)).toEqual([404, 404])
  router.setTime(timeMs)
  // Nobody has asked to track it yet.
  expect((await router.status(chainId, hash)).status).toBe(404)
  expect(await codes(chainId, hash)).toEqual([200, 200])
  expect(await codes(chainId, `0x${hash.toLowerCase()}`)).toEqual([200, 200])
  for (const other of ['harbor-1', 'osmosis-1']) expect(await codes(other, hash)).toEqual([404, 404])
  const galley = router.chains.find(({ chain }) => chain.chainId === chainId)
  const hashes = galley?.transactionsAt(sent.height).flatMap(({ evmHash }) => evmHash ?? []) ?? []
  expect(hashes.length).toBeGreaterThan(0)
  for (const evmHash of hashes) expect(await codes(chainId, evmHash)).toEqual([404, 404])
})
