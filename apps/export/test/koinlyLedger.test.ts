import { afterAll, beforeAll, expect, test } from 'vitest'
import { toBech32 } from '../../../packages/sandbox/src/address.ts'
import { sandboxChains } from '../../../packages/sandbox/src/chains.ts'
import { erc20Contract } from '../../../packages/sandbox/src/router/assets.ts'
import { createFixtures } from '../../../packages/sandbox/src/world/fixtures.ts'
import { startTestGateway, type TestGateway } from '../../../src/testing.ts'
import * as raw from './support/rawLedger.ts'
import { run, startFolder, textOf } from './support/world.ts'

// The rows of an account sum to what its balances and its stake changed by, as the services themselves tell them.

const minute = 60_000
/** No block is at this moment, so that its transactions are before it or after it. */
const begin = Date.UTC(2026, 9, 1, 12) + 137
const end = begin + 6 * minute

const fixtures = sandboxChains.map((chain) => createFixtures(chain, 'portolan'))
const [hub] = fixtures
const named = fixtures.flatMap(({ feeCollector, dex, chain }) => [
  [`the fees of ${chain.chainId}`, feeCollector] as const,
  [`the exchange of ${chain.chainId}`, dex] as const,
])
const accounts: readonly (readonly [name: string, party: raw.Party])[] = [
  ...(hub ? [['the traveller', hub.traveller] as const, ['the relayer', hub.relayer] as const] : []),
  ...named,
  // All users take two minutes: every third one has all that the others have.
  ...(hub?.users ?? []).flatMap((user, index) => (index % 3 === 0 ? [[`user ${index}`, user] as const] : [])),
]

let world: TestGateway
let assets: readonly raw.ListedAsset[]
let events: readonly raw.ChainEvent[]
const before = new Map<string, raw.Amounts>()
/** Of what any account had more or less at the end. */
const told = new Set<string>()
beforeAll(async () => {
  world = await startTestGateway({ date: begin })
  const { sandbox } = world
  assets = await raw.listAssets(sandbox)
  for (const [name, { bech32 }] of accounts) before.set(name, await raw.balancesOf(sandbox, bech32))
  await world.advance(end - begin)
  events = (await Promise.all(sandbox.indexers.map((indexer) => raw.eventsSince(indexer, begin)))).flat()
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

const digits = 18
const scaled = (amount: bigint, decimals: number): bigint => amount * 10n ** BigInt(digits - decimals)
const withoutZeros = (sums: raw.Amounts): raw.Amounts => new Map([...sums].filter(([, sum]) => sum !== 0n).toSorted())

/** Where the machines of chains keep the coins of a denom. */
function contractsOf(place: string): readonly string[] {
  const [chainId = '', ...denom] = place.split('/')
  const contracts = [erc20Contract(chainId, denom.join('/')), toBech32('init', raw.metadataOfDenom(denom.join('/')))]
  return contracts.map((contract) => `${chainId}/${contract}`)
}

/** What an account gained, by symbol in whole units, and by `chain/asset` in base units for what no list has. */
async function gainsOf(name: string, party: raw.Party): Promise<raw.Amounts> {
  const places = new Map(assets.map((asset) => [`${asset.chain_id}/${asset.denom}`, asset]))
  const moved: raw.Amounts = new Map(raw.staked(events, party))
  for (const [place, amount] of await raw.balancesOf(world.sandbox, party.bech32)) raw.addTo(moved, place, amount)
  for (const [place, amount] of before.get(name) ?? []) raw.addTo(moved, place, -amount)
  // The balances have what is listed. Events tell other coins, whose contracts repeat them, and other tokens.
  const coins = [...raw.coinsOf(events, party)].filter(([place]) => !places.has(place))
  for (const [place, amount] of coins) raw.addTo(moved, place, amount)
  const ofCoins = new Set([...places.keys(), ...coins.map(([place]) => place)].flatMap(contractsOf))
  const tokens = raw.tokensOf(events, party, (metadata) => toBech32('init', metadata))
  for (const [place, amount] of tokens) if (!ofCoins.has(place)) raw.addTo(moved, place, amount)
  const gains: raw.Amounts = new Map()
  for (const [place, amount] of moved) {
    const asset = places.get(place)
    raw.addTo(gains, asset ? asset.symbol : place, asset ? scaled(amount, asset.decimals) : amount)
  }
  return withoutZeros(gains)
}

/** The sums of a file, by the same names. */
function sumsOf(text: string): raw.Amounts {
  const meanings = new Map(
    [...text.matchAll(/(NULL\d+) is ([^,"]+)/g)].map(([, name = '', meaning = '']) => [name, meaning]),
  )
  const sums: raw.Amounts = new Map()
  const add = (amount: string | undefined, currency = '', sign = 1n) => {
    if (!amount) return
    const [whole = '', fraction = ''] = amount.split('.')
    const isWhole = !meanings.has(currency)
    const units = BigInt(whole + (isWhole ? fraction.padEnd(digits, '0') : fraction))
    raw.addTo(sums, meanings.get(currency) ?? currency, sign * units)
  }
  // Descriptions come after the amounts, so no quoted comma is before them.
  for (const line of text.trimEnd().split('\r\n').slice(1)) {
    const [, sent, sentIn, received, receivedIn, fee, feeIn] = line.split(',')
    add(sent, sentIn, -1n)
    add(received, receivedIn)
    // The importer drops such a fee.
    if (feeIn !== sentIn && feeIn !== receivedIn) add(fee, feeIn, -1n)
  }
  return withoutZeros(sums)
}

test.each(accounts)('the rows of %s sum to what its balances and its stake changed by', async (name, party) => {
  using folder = startFolder()
  const file = folder.fileOf('k.csv')
  const argv = ['activity', '--url', world.url, '--address', party.bech32, '--format', 'koinly', '--out', file]
  const [since, until] = [begin, end].map((time) => new Date(time).toISOString())
  const { code } = await run([...argv, '--since', since ?? '', '--until', until ?? '', '--include-unlisted'])
  expect(code).toBe(0)
  const gains = await gainsOf(name, party)
  expect(sumsOf(textOf(file))).toEqual(gains)
  for (const currency of gains.keys()) told.add(currency)
})

test('so they do of listed coins and other tokens, and where coins were staked', () => {
  expect([...told]).toEqual(expect.arrayContaining(['INIT', 'GAL', 'LANT', 'OSMO']))
  expect([...told].filter((currency) => currency.includes('/')).length).toBeGreaterThan(2)
  const stakes = accounts.filter(([, party]) => raw.staked(events, party).size > 0)
  expect(stakes.length).toBeGreaterThan(2)
})
