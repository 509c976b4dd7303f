import { createHash } from 'node:crypto'
import type { Sandbox, SandboxIndexer } from '../../../../packages/sandbox/src/sandbox.ts'

// What the records of the indexers themselves say of accounts, without any code of the gateway.

/** Amounts in base units by `chain/asset`. An asset that no list has is named by the address of its contract. */
export type Amounts = Map<string, bigint>

/** An asset as the router lists it. */
export interface ListedAsset {
  readonly chain_id: string
  readonly denom: string
  readonly symbol: string
  readonly decimals: number
}

interface RawEvent {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string }[]
}

/** An event of a transaction that succeeded. */
export interface ChainEvent extends RawEvent {
  readonly chainId: string
}

interface Page {
  readonly txs: readonly { readonly code: number; readonly timestamp: string; readonly events: readonly RawEvent[] }[]
  readonly pagination: { readonly next_key: string | null }
}

/** An account in both spellings. */
export interface Party {
  readonly hex: string
  readonly bech32: string
}

const postJson = async (url: string, body: unknown) =>
  (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json()

/** All that the router lists. */
export async function listAssets({ routerUrl }: Sandbox): Promise<readonly ListedAsset[]> {
  const reply = (await (await fetch(`${routerUrl}/v2/fungible/assets`)).json()) as {
    chain_to_assets_map: Record<string, { assets: readonly ListedAsset[] }>
  }
  return Object.values(reply.chain_to_assets_map).flatMap(({ assets }) => assets)
}

/** What an account has of each asset now. */
export async function balancesOf({ routerUrl, indexers }: Sandbox, address: string): Promise<Amounts> {
  const chains = Object.fromEntries(indexers.map(({ chainId }) => [chainId, { address, denoms: [] }]))
  const reply = (await postJson(`${routerUrl}/v2/info/balances`, { chains })) as {
    chains: Record<string, { denoms: Record<string, { amount: string }> }>
  }
  return new Map(
    Object.entries(reply.chains).flatMap(([chainId, { denoms }]) =>
      Object.entries(denoms).map(([denom, { amount }]): [string, bigint] => [`${chainId}/${denom}`, BigInt(amount)]),
    ),
  )
}

/** The events of all transactions of a chain that succeeded from a time on. */
export async function eventsSince({ chainId, url }: SandboxIndexer, since: number): Promise<readonly ChainEvent[]> {
  const events: ChainEvent[] = []
  for (let key: string | null = ''; key !== null; ) {
    const paging = { 'pagination.limit': '200', 'pagination.reverse': 'true', ...(key && { 'pagination.key': key }) }
    const { txs, pagination } = (await (
      await fetch(`${url}/indexer/tx/v1/txs?${new URLSearchParams(paging)}`)
    ).json()) as Page
    const young = txs.filter(({ timestamp }) => Date.parse(timestamp) >= since)
    events.push(...young.flatMap((tx) => (tx.code === 0 ? tx.events.map((event) => ({ chainId, ...event })) : [])))
    key = young.length < txs.length ? null : pagination.next_key
  }
  return events
}

/** What the events add to the stake of an account. */
export function staked(events: readonly ChainEvent[], { bech32 }: Party): Amounts {
  const sums: Amounts = new Map()
  for (const { chainId, type, attributes } of events) {
    const is = fieldsOf(attributes)
    if (type !== 'delegate' || is.delegator !== bech32) continue
    const [, amount = '0', denom = ''] = /^(\d+)(.+)$/.exec(is.amount ?? '') ?? []
    addTo(sums, `${chainId}/${denom}`, BigInt(amount))
  }
  return sums
}

/** What the bank module says that an account gained by messages, of all denoms. */
export function coinsOf(events: readonly ChainEvent[], { bech32 }: Party): Amounts {
  const sums: Amounts = new Map()
  for (const { chainId, type, attributes } of events) {
    const is = fieldsOf(attributes)
    const sign = { coin_spent: -1n, coin_received: 1n }[type]
    if (sign === undefined || is.msg_index === undefined) continue
    for (const coin of (is.amount ?? '').split(',')) {
      const [, amount = '0', denom = ''] = /^(\d+)(.+)$/.exec(coin) ?? []
      const isOwn = (sign < 0n ? is.spender : is.receiver) === bech32
      addTo(sums, `${chainId}/${denom}`, isOwn ? sign * BigInt(amount) : 0n)
    }
  }
  return sums
}

/** What the events of contracts say that an account gained of their tokens. `nameOf` is for Move metadata. */
export function tokensOf(events: readonly ChainEvent[], party: Party, nameOf: (metadata: string) => string): Amounts {
  const sums: Amounts = new Map()
  for (const { chainId, type, attributes } of events) {
    const is = fieldsOf(attributes)
    if (
      type === 'wasm' &&
      is.token_id === undefined &&
      is.amount &&
      /^(transfer|send|mint|burn)/.test(is.action ?? '')
    ) {
      const place = `${chainId}/${is._contract_address}`
      if (is.from === party.bech32) addTo(sums, place, -BigInt(is.amount))
      if (is.to === party.bech32) addTo(sums, place, BigInt(is.amount))
    }
    for (const log of type === 'evm' ? attributes.filter(({ key }) => key === 'log') : []) {
      const { address, topics, data } = JSON.parse(log.value) as { address: string; topics: string[]; data: string }
      if (!topics[0]?.startsWith('0xddf252ad') || topics.length !== 3) continue
      const isParty = (topic = '') => topic.endsWith(party.hex.slice(2))
      if (isParty(topics[1])) addTo(sums, `${chainId}/${address}`, -BigInt(data))
      if (isParty(topics[2])) addTo(sums, `${chainId}/${address}`, BigInt(data))
    }
    const move = /^0x1::fungible_asset::(Withdraw|Deposit)Event$/.exec(is.type_tag ?? '')
    if (type === 'move' && move) {
      const { store_addr, metadata_addr, amount } = JSON.parse(is.data ?? '') as Record<string, string>
      if (bytes32(store_addr) !== derived(party.hex, Buffer.from(bytes32(metadata_addr), 'hex'), 0xfc)) continue
      addTo(
        sums,
        `${chainId}/${nameOf(`0x${bytes32(metadata_addr)}`)}`,
        BigInt(amount ?? 0) * (move[1] === 'Deposit' ? 1n : -1n),
      )
    }
  }
  return sums
}

/** The metadata of the coin of a denom, on a Move chain. */
export const metadataOfDenom = (denom: string): string => `0x${derived('0x1', Buffer.from(denom), 0xfe)}`

const derived = (owner: string, rest: Buffer, end: number): string =>
  createHash('sha3-256')
    .update(Buffer.concat([Buffer.from(bytes32(owner), 'hex'), rest, Buffer.of(end)]))
    .digest('hex')

const bytes32 = (hex = ''): string => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')

const fieldsOf = (attributes: RawEvent['attributes']): Readonly<Record<string, string>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value]))

/** Adds to the amount of an asset. */
export const addTo = (sums: Amounts, place: string, amount: bigint): void =>
  void sums.set(place, (sums.get(place) ?? 0n) + amount)
