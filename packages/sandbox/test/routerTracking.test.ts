import { expect, test } from 'vitest'
import { scenarios } from '../src/router/scenarios.ts'
import { stuckEndings } from '../src/router/stuck.ts'
import { dig, list, network, start, worlds } from './support/sandboxRouter.ts'

/** The states of a tracked transfer, one for each change, read every half second. */
async function journey(digits: string, chainId: string, seconds = 20): Promise<string[]> {
  const { post, get, pass } = start()
  const tx_hash = `0x${'5c'.repeat(31)}${digits}`
  const seen: string[] = []
  let tracked = await post('/v2/tx/track', { tx_hash, chain_id: chainId })
  for (let half = 0; half < seconds * 2; half++) {
    const { status, json, text } = await get(`/v2/tx/status?tx_hash=${tx_hash}&chain_id=${chainId}`)
    const word = status === 200 ? (dig(json, 'state') ?? dig(json, 'status') ?? text) : status
    if (seen.at(-1) !== `${word}`) seen.push(`${word}`)
    if (tracked.status === 404 || word === 'STATE_ABANDONED') {
      tracked = await post('/v2/tx/retry_track', { tx_hash, chain_id: chainId })
    }
    pass(500)
  }
  return seen
}

const [submitted, pending, success] = ['STATE_SUBMITTED', 'STATE_PENDING', 'STATE_COMPLETED_SUCCESS']
const failed = ['STATE_PENDING_ERROR', 'STATE_COMPLETED_ERROR']
const journeys: Record<string, readonly string[]> = {
  refunded: [submitted, pending, ...failed],
  abandoned: [submitted, pending, 'STATE_ABANDONED', pending, success],
  unknownState: [submitted, pending, 'STATE_AWAITING_TIDE', success],
  bareCompleted: [submitted, pending, 'STATE_COMPLETED'],
  bareFailed: [submitted, pending, 'STATE_FAILED'],
  lateToTrack: ['404', submitted, pending, success],
  backwards: [submitted, pending, submitted, pending, success],
  rateLimited: ['429', pending, success],
  serverError: ['500', pending, success],
  plainText: ['502', pending, success],
  malformedJson: ['{"transfers":[{"state":"STATE_PEND', pending, success],
}

test.each(Object.entries(scenarios))('the transfer scenario %s goes through its states', async (digits, { name }) => {
  for (const chainId of network.chains.keys()) {
    const seen = await journey(digits, chainId, name === 'slow' ? 80 : 20)
    // Only packets have a time when the failure is known but the funds are not released.
    const failure = seen.includes('STATE_PENDING_ERROR') ? failed : failed.slice(1)
    const ending = name === 'stranded' ? failure : [success]
    expect(seen).toEqual(journeys[name] ?? [submitted, pending, ...ending])
  }
})

test('most hashes succeed, in one to three hops that start on the requested chain', async () => {
  const { post, get, pass } = start()
  for (let byte = 3; byte < 0xe0; byte += 20) {
    const ids = { tx_hash: `${'5C'.repeat(31)}${byte.toString(16).padStart(2, '0')}` }
    await post('/v2/tx/track', { ...ids, chain_id: 'harbor-1' })
    pass(12_000)
    const { json } = await get(`/v2/tx/status?tx_hash=${ids.tx_hash}&chain_id=harbor-1`)
    expect(json).toMatchObject({ state: success, status: 'STATE_COMPLETED' })
    const hops = list(dig(json, 'transfer_sequence')).map((hop) => Object.values(hop ?? {})[0])
    expect(hops.length).toBe(1 + (byte % 3))
    expect(dig(hops[0], 'from_chain_id')).toBe('harbor-1')
    for (const [index, hop] of hops.entries()) {
      if (index > 0) expect(dig(hop, 'src_chain_id')).toBe(dig(hops[index - 1], 'dst_chain_id'))
    }
    expect(dig(json, 'transfer_asset_release', 'chain_id')).toBe(dig(hops.at(-1), 'to_chain_id'))
    expect(dig(json, 'transfers', 0, 'transfer_sequence')).toEqual(dig(json, 'transfer_sequence'))
  }
})

test('the indexers find the transactions of hops', async () => {
  const { post, get, pass } = start()
  const known = new Map(worlds.map((world) => [world.chain.chainId, world]))
  const chainsWithTransactions = new Set<string>()
  const chainIds = [...network.chains.keys()]
  for (const [index, chain_id] of [...chainIds, ...chainIds, ...chainIds].entries()) {
    const tx_hash = `${'5C'.repeat(31)}${10 + index}`
    await post('/v2/tx/track', { tx_hash, chain_id })
    for (let second = 0; second < 12; second++) {
      const { json } = await get(`/v2/tx/status?tx_hash=${tx_hash}&chain_id=${chain_id}`)
      for (const hop of list(dig(json, 'transfer_sequence'))) {
        const inner = Object.values(hop ?? {})[0]
        const slots = Object.values(dig(inner, 'packet_txs') ?? dig(inner, 'txs') ?? {})
        for (const slot of slots.filter((item) => dig(item, 'tx_hash') !== tx_hash)) {
          const world = known.get(`${dig(slot, 'chain_id')}`)
          if (world === undefined) continue
          const tx = world.findTransaction(`${dig(slot, 'tx_hash')}`)
          const time = Date.parse(`${dig(slot, 'on_chain_at')}`)
          expect(time).toBe(Math.floor((tx?.timeMs ?? 0) / 1000) * 1000)
          chainsWithTransactions.add(world.chain.chainId)
        }
      }
      pass(1_000)
    }
  }
  expect([...chainsWithTransactions].sort()).toEqual(['galley-1', 'harbor-1', 'lantern-1'])
})

test('hops are sent, received and acknowledged in that order', async () => {
  const { post, get, pass } = start()
  let compared = 0
  for (const [index, chain_id] of [...network.chains.keys()].entries()) {
    for (const digits of ['00', '01', '02', 'e0', 'e1', 'e4']) {
      const tx_hash = `${'5D'.repeat(30)}${10 + index}${digits}`
      await post('/v2/tx/track', { tx_hash, chain_id })
      pass(20_000)
      const { json } = await get(`/v2/tx/status?tx_hash=${tx_hash}&chain_id=${chain_id}`)
      let last = 0
      for (const hop of list(dig(json, 'transfer_sequence'))) {
        const inner = Object.values(hop ?? {})[0]
        const slots = dig(inner, 'packet_txs') ?? dig(inner, 'txs') ?? {}
        const times = Object.values(slots).flatMap((slot) => {
          const time = dig(slot, 'on_chain_at')
          return time === undefined ? [] : [Date.parse(`${time}`)]
        })
        expect(times, JSON.stringify(slots)).toEqual(times.toSorted((a, b) => a - b))
        expect(times[0] ?? last).toBeGreaterThanOrEqual(last)
        last = times[1] ?? last
        compared += times.length
      }
    }
  }
  expect(compared).toBeGreaterThan(50)
})

test('tracking accepts every form of a hash and can be repeated', async () => {
  const { post, get, pass } = start()
  const hash = `${'c5'.repeat(31)}00`
  const url = `/v2/tx/status?tx_hash=${hash}&chain_id=harbor-1`
  expect(await get(url)).toEqual({
    status: 404,
    json: { code: 5, message: 'tx not found', details: [] },
  })
  const ids = { tx_hash: `0x${hash}`, chain_id: 'harbor-1' }
  const first = await post('/v2/tx/track', ids)
  expect(first.json).toEqual({
    tx_hash: hash.toUpperCase(),
    explorer_link: expect.stringContaining(hash.toUpperCase()),
  })
  pass(8_000)
  expect(await post('/v2/tx/track', { ...ids, tx_hash: hash.toUpperCase() })).toEqual(first)
  expect((await get(url)).json).toMatchObject({ state: success })
  expect(await post('/v2/tx/track', { ...ids, chain_id: 'atlantis-1' })).toMatchObject({
    status: 404,
    json: { code: 5, message: 'chain ID not supported' },
  })
  expect((await post('/v2/tx/track', { ...ids, tx_hash: '0xabc' })).json).toMatchObject({ code: 3 })
  expect((await post('/v2/tx/track', {})).json).toMatchObject({ statusCode: 400 })
  expect((await get('/v2/tx/status')).json).toMatchObject({ statusCode: 400 })
})

test('with transfersBeginAnew, tracking restarts an ended or unwatched transfer', async () => {
  const { post, get, pass } = start({ isRestartable: true })
  for (const [digits, endsAfter] of [
    ['00', 8_000],
    ['e0', 8_000],
    ['e4', 13_000],
    ['ea', 8_000],
  ] as const) {
    const ids = { tx_hash: `${'7d'.repeat(31)}${digits}`, chain_id: 'harbor-1' }
    const url = `/v2/tx/status?tx_hash=${ids.tx_hash}&chain_id=harbor-1`
    const state = async () => {
      const { status, json } = await get(url)
      return status === 200 ? dig(json, 'state') : status
    }
    const track = async () => {
      while ((await post('/v2/tx/track', ids)).status === 404) pass(1)
    }
    expect(await state(), digits).toBe(404)
    for (let run = 0; run < 3; run++) {
      await track()
      expect(await state()).toBe(submitted)
      pass(endsAfter)
      // All who watch see the end, however often they ask.
      for (let second = 0; second < 5; second++) {
        expect(await state()).toMatch(/^STATE_COMPLETED_/)
        pass(1_000)
      }
    }
    // Whoever tracks it while somebody watches does not disturb.
    await track()
    for (let second = 0; second < 4; second++) {
      expect(await state()).not.toMatch(/^STATE_COMPLETED_/)
      await track()
      pass(1_000)
    }
    // Left for long, and not seen to end.
    pass(60_000)
    await track()
    expect(await state()).toBe(submitted)
  }
})

test('a transfer whose end was not seen stays at its end', async () => {
  const { post, get, pass } = start()
  const ids = { tx_hash: `${'7e'.repeat(31)}00`, chain_id: 'harbor-1' }
  await post('/v2/tx/track', ids)
  pass(60_000)
  const { json } = await get(`/v2/tx/status?tx_hash=${ids.tx_hash}&chain_id=harbor-1`)
  expect(json).toMatchObject({ state: success })
})

test('a hash that ends with dead and two digits stays in one state of one bridge', async () => {
  expect(stuckEndings.size).toBe(31)
  for (const chain_id of ['harbor-1', '1']) {
    for (const [ending, { key, hopState, state }] of stuckEndings) {
      const { post, get, pass } = start()
      const tx_hash = `${'5c'.repeat(29)}${ending}`
      await post('/v2/tx/track', { tx_hash, chain_id })
      for (const ms of [0, 5_000, 86_400_000]) {
        pass(ms)
        const { status, json } = await get(`/v2/tx/status?tx_hash=${tx_hash}&chain_id=${chain_id}`)
        expect(status, ending).toBe(200)
        expect(dig(json, 'state')).toBe(state)
        expect(dig(json, 'transfers', 0, 'transfer_sequence', 0, key, 'state')).toBe(hopState)
      }
    }
  }
})
