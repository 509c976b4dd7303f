import { expect, test } from 'vitest'
import { sandboxChains } from '../../../sandbox/src/chains.ts'
import { erc20Contract } from '../../../sandbox/src/router/assets.ts'
import { metadataOf } from '../../../sandbox/src/world/moveStores.ts'
import { movesOf } from '../../../sandbox/src/world/moves.ts'
import { partiesOf } from '../../../sandbox/src/world/parties.ts'
import { createWorld } from '../../../sandbox/src/world/world.ts'
import type { BalanceChange } from '../../src/balanceChanges/change.ts'
import { knownDenoms } from '../../src/balanceChanges/denoms.ts'
import type { ChainEvent } from '../../src/balanceChanges/events.ts'
import { hexAddress } from '../../src/balanceChanges/owners.ts'
import { balanceChanges, partsOf } from '../support/atOnce.ts'

// Every transaction of each chain of the sandbox: its traffic repeats after these.

const vms = { move: 'MOVE', evm: 'EVM', wasm: 'WASM' } as const

/** The transactions of a chain of the sandbox, and what each of them changed. */
function readWorld(chain: (typeof sandboxChains)[number]) {
  // Alone, it has no stories between chains, whose transactions have no shape.
  const world = createWorld(chain, 'changes', () => 0, [chain])
  const { fixtures, workload } = world
  const known = knownDenoms([{ denom: chain.denom }, { denom: fixtures.bridgedDenom }])
  const count = workload.space.head + workload.space.span
  return Array.from({ length: count }, (_, i) => {
    const sequence = i + 1
    const record = world.transactions.record(sequence)
    const shape = workload.shapeAt(sequence)
    const read = (account?: string) => balanceChanges({ vm: vms[chain.vm], ...record }, { account, known })
    return { sequence, shape, fixtures, record, cost: world.transactions.costOf(sequence), read }
  })
}

const chains = sandboxChains.map((chain) => ({ vm: chain.vm, transactions: readWorld(chain) }))

const assetOf = ({ kind, denom, contract, tokenId, object }: BalanceChange): string =>
  kind === 'FEE' ? `fee ${denom}` : [contract ?? denom ?? object, tokenId ?? ''].join(' ')

function sumsBy(changes: readonly { readonly key: string; readonly amount: bigint }[]): Record<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { key, amount } of changes) sums.set(key, (sums.get(key) ?? 0n) + amount)
  return Object.fromEntries([...sums].filter(([, amount]) => amount !== 0n).sort())
}

/** What a transaction made and unmade, by the events of supply alone. */
function supplyOf(vm: string, events: readonly ChainEvent[]): Record<string, bigint> {
  return sumsBy(
    events
      .filter(({ attributes }) => attributes.some(({ key }) => key === 'msg_index'))
      .flatMap((event) => (vm === 'evm' ? supplyInLogs(event) : supplyIn(vm, event))),
  )
}

function supplyInLogs({ type, attributes }: ChainEvent) {
  const logs = attributes.filter(({ key }) => type === 'evm' && key === 'log')
  return logs.flatMap(({ value }) => {
    const { address, topics, data } = JSON.parse(value)
    const isMultiple = topics.length === 4 && data !== '0x'
    const [from, to] = topics.slice(isMultiple ? 2 : 1).map(BigInt)
    if (topics.length < 3 || (from !== 0n && to !== 0n)) return []
    const sign = from === 0n ? 1n : -1n
    const words = (data.slice(2).match(/.{64}/g) ?? []).map((word: string) => BigInt(`0x${word}`))
    const entry = (id: string, amount: bigint) => ({ key: `${address} ${id}`, amount })
    if (!isMultiple) {
      return topics.length === 4 ? [entry(String(BigInt(topics[3])), sign)] : [entry('', sign * words[0])]
    }
    if (words.length === 2) return [entry(String(words[0]), words[1])]
    return [0, 1].map((i) => entry(String(words[3 + i]), words[6 + i]))
  })
}

function supplyIn(vm: string, event: ChainEvent) {
  const values = new Map(partsOf(event)[0])
  const get = (key: string) => values.get(key) ?? ''
  if (vm === 'wasm') {
    const isMade = event.type === 'coinbase' || get('action') === 'mint'
    const isUnmade = event.type === 'burn' || get('action') === 'burn'
    if (!isMade && !isUnmade) return []
    const sign = isMade ? 1n : -1n
    const contract = get('_contract_address')
    if (values.has('token_id')) return [{ key: `${contract} ${get('token_id')}`, amount: sign }]
    const [, digits = '', denom] = /^(\d+)(.*)$/.exec(get('amount')) ?? []
    return [{ key: `${contract || denom} `, amount: sign * BigInt(digits) }]
  }
  const [, kind] = /^0x1::(?:fungible_asset|collection)::(Mint|Burn)Event$/.exec(get('type_tag')) ?? []
  if (!kind) return []
  const sign = kind === 'Mint' ? 1n : -1n
  const pad = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
  return values.has('token_id')
    ? [{ key: `${pad(get('collection'))} ${get('token_id')}`, amount: sign }]
    : [{ key: `${pad(get('metadata_addr'))} `, amount: sign * BigInt(get('amount')) }]
}

test.each(chains)('on $vm, the changes of an asset add up to what was minted or burnt', ({ vm, transactions }) => {
  let made = 0
  for (const { sequence, record, read } of transactions) {
    const sums = sumsBy(read().map((change) => ({ key: assetOf(change), amount: change.amount })))
    const supply = record.code === 0 ? supplyOf(vm, record.events) : {}
    made += Object.keys(supply).length
    expect({ sequence, sums }).toEqual({ sequence, sums: supply })
  }
  expect(made).toBeGreaterThan(500)
})

test.each(chains)('on $vm, changes are the coins that messages move, and the fee', ({ transactions }) => {
  let moves = 0
  for (const { sequence, shape, fixtures, record, cost, read } of transactions) {
    const [sender] = partiesOf(fixtures, shape)
    const fee = [{ key: `${cost.fee.denom} ${sender.hex}`, amount: -BigInt(cost.fee.amount) }]
    const meant = movesOf(fixtures, shape).flat()
    const expected = meant.flatMap(({ from, to, coins }) =>
      coins.flatMap(({ denom, amount }) => [
        ...(from ? [{ key: `${denom} ${hexAddress(from.hex)}`, amount: -amount }] : []),
        ...(to ? [{ key: `${denom} ${hexAddress(to.hex)}`, amount }] : []),
      ]),
    )
    const changes = read()
    const keyed = (kind: (change: BalanceChange) => boolean) =>
      sumsBy(changes.filter(kind).map(({ account, denom, amount }) => ({ key: `${denom} ${account}`, amount })))
    expect(keyed(({ kind, amount }) => kind === 'FEE' && amount < 0n)).toEqual(sumsBy(fee))
    if (record.code !== 0) expect(changes.every(({ kind }) => kind === 'FEE')).toBe(true)
    else if (meant.length > 0) {
      moves += 1
      expect({ sequence, sums: keyed(({ kind }) => kind !== 'FEE') }).toEqual({
        sequence,
        sums: sumsBy(expected),
      })
      expect(changes.every(({ isOwnerKnown }) => isOwnerKnown)).toBe(true)
    }
  }
  expect(moves).toBeGreaterThan(300)
})

test.each(chains)('on $vm, the changes of one account equal its part of all changes', ({ transactions }) => {
  for (const { read } of transactions) {
    const all = read()
    for (const account of new Set(all.map((change) => change.account))) {
      if (account === null) continue
      const own = all.filter((change) => change.account === account)
      expect(read(account)).toEqual(own)
    }
  }
})

test('the contract of a coin is its metadata or ERC-20 contract', () => {
  for (const { vm, transactions } of chains) {
    for (const { fixtures, read } of transactions) {
      for (const { kind, denom, contract } of read()) {
        if (kind !== 'COIN' || denom === null) continue
        const expected = {
          move: metadataOf(denom),
          evm: erc20Contract(fixtures.chain.chainId, denom),
          wasm: null,
        }
        expect(contract).toBe(expected[vm])
      }
    }
  }
})
