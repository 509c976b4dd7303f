import { expect } from 'vitest'
import { sandboxChains } from '../../src/chains.ts'
import { createIndexer } from '../../src/indexer/indexer.ts'
import { type Sandbox, type SandboxChain, startSandbox } from '../../src/sandbox.ts'
import { createWorld, type World } from '../../src/world/world.ts'

/** A response of an indexer. */
export interface Answer {
  readonly status: number
  readonly type: string | null
  readonly text: string
}

/** Sends a GET request to a URL, or to the target of an indexer. */
export type Get = (target: string) => Promise<Answer>

/** A page of any list, whatever the field of its rows is called. */
export interface List {
  readonly rows: readonly unknown[]
  readonly previousKey: string | null
  readonly nextKey: string | null
  readonly total: string
}

/** The fixed time of these tests, in milliseconds since 1970. */
export const now = Date.UTC(2026, 9, 1)
/** The height of each chain at that time. The blocks hold 90 transactions. */
export const blocks = 60

/** The chains of the sandbox, at that height. */
export const chains: readonly SandboxChain[] = sandboxChains.map((chain) => ({
  ...chain,
  genesis: now - (blocks - 1) * chain.blockTime,
}))

/** The test chain with a virtual machine. */
export function chainOf(vm: string): SandboxChain {
  const chain = chains.find((candidate) => candidate.vm === vm)
  if (!chain) throw new Error(`no ${vm} chain`)
  return chain
}

/** The simulation of that chain, without a server. */
export function world(vm: string, clock = () => now): World {
  return createWorld(chainOf(vm), 'portolan', clock)
}

/** A sandbox of the test chains, on free ports. */
export function startTestSandbox(options: { seed?: string; chains?: readonly SandboxChain[] } = {}) {
  return startSandbox({ chains, clock: () => now, ...options })
}

/** The URL of the indexer of that chain. */
export function indexerUrl(vm: string, sandbox: Sandbox): string {
  return sandbox.indexers.find((indexer) => indexer.vm === vm)?.url ?? ''
}

/** The page key of a text, encoded for a query. */
export function key(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString('base64'))
}

/** The text of a page key. */
export function decodeKey(key: string | null): string {
  return Buffer.from(key ?? '', 'base64').toString()
}

/** The value at a path in JSON. Throws if the path ends early. */
export function at(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) throw new Error(`no ${name} in ${value}`)
    return Object.entries(value).find(([key]) => key === name)?.[1]
  }, json)
}

/** Sends a GET request. */
export async function get(url: string): Promise<Answer> {
  const response = await fetch(url)
  const type = response.headers.get('content-type')
  return { status: response.status, type, text: await response.text() }
}

/** The indexer of a young chain without a server, for tests that read thousands of pages. */
export function inProcess(vm: string): Get {
  const handle = createIndexer(world(vm))
  return async (target) => {
    const [path = '', query = ''] = target.split('?')
    const request = {
      method: 'GET',
      path,
      query: new URLSearchParams(query),
      body: '',
      headers: {},
    }
    const { status, json, text = '' } = await handle(request)
    return json === undefined
      ? { status, type: 'text/plain; charset=utf-8', text }
      : { status, type: 'application/json', text: JSON.stringify(json) }
  }
}

/** Reads one page of a list. Fails unless the status is 200. */
export async function list(url: string, send: Get = get): Promise<List> {
  const { status, text } = await send(url)
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  const { pagination, ...rest } = JSON.parse(text)
  const [rows] = Object.values(rest)
  if (!Array.isArray(rows)) throw new Error(`no rows in ${text.slice(0, 80)}`)
  const { previous_key: previousKey, next_key: nextKey, total } = pagination
  return { rows, previousKey, nextKey, total }
}

/** All rows of a list, read page by page along the next keys. */
export async function readAll(send: Get, path: string, limit: number, reverse: boolean) {
  const rows: unknown[] = []
  let next: string | null = null
  do {
    const query = new URLSearchParams({
      'pagination.limit': String(limit),
      'pagination.reverse': String(reverse),
      ...(next ? { 'pagination.key': next } : {}),
    })
    const page: List = await list(`${path}?${query}`, send)
    rows.push(...page.rows)
    next = page.nextKey
  } while (next)
  return rows
}

/** One path for every kind of list, none of them empty. */
export function listPaths(vm: string): readonly string[] {
  const { fixtures } = world(vm)
  const [person] = fixtures.users
  const collection = fixtures.collections[1]
  if (!person || !collection) throw new Error('no fixtures')
  const paths = [
    '/indexer/block/v1/blocks',
    '/indexer/tx/v1/txs',
    `/indexer/tx/v1/txs/by_account/${fixtures.feeCollector.bech32}`,
    `/indexer/tx/v1/txs/by_account/${person.hex}`,
    '/indexer/tx/v1/txs/by_height/57',
    '/indexer/nft/v1/collections',
    `/indexer/nft/v1/collections/by_account/${person.bech32}`,
    '/indexer/nft/v1/collections/by_name/harbour',
    `/indexer/nft/v1/tokens/by_account/${person.bech32}`,
    `/indexer/nft/v1/tokens/by_collection/${collection.address.hex}`,
    `/indexer/nft/v1/txs/${collection.address.bech32}/${collection.tokens[4]?.tokenId}`,
    `/indexer/richlist/v1/${fixtures.chain.denom.replace('/', '%2F')}`,
  ]
  if (vm !== 'evm') return paths
  const hash = world('evm').evm.hashOf(14)
  return [
    ...paths,
    '/indexer/tx/v1/evm-txs',
    `/indexer/tx/v1/evm-txs/by_account/${fixtures.token.hex}`,
    '/indexer/tx/v1/evm-txs/by_height/57',
    '/indexer/tx/v1/evm-internal-txs',
    `/indexer/tx/v1/evm-internal-txs/by_account/${fixtures.token.hex}`,
    '/indexer/tx/v1/evm-internal-txs/by_height/57',
    `/indexer/tx/v1/evm-internal-txs/${hash}`,
  ]
}
