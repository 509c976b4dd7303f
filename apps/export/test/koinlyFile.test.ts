import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestGateway } from '../../../src/testing.ts'
import { address, objectsOf, run, startFolder, startWorld, textOf } from './support/world.ts'

let world: TestGateway
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const activity = (format: string, out: string, ...more: string[]) =>
  run(['activity', '--url', world.url, '--address', address, '--format', format, '--out', out, ...more])

/** A decimal with 18 places, as an integer. */
function scaled(text: string): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const value = BigInt(whole + fraction.padEnd(18, '0'))
  return sign ? -value : value
}

function sums(entries: readonly (readonly [currency: unknown, amount: bigint])[]): Map<unknown, bigint> {
  const all = new Map<unknown, bigint>()
  for (const [currency, amount] of entries) all.set(currency, (all.get(currency) ?? 0n) + amount)
  return all
}

test('received less sent less fees is what the account gained of each asset, besides its stake', async () => {
  using folder = startFolder()
  expect((await activity('koinly', folder.fileOf('k.csv'))).code).toBe(0)
  await activity('ndjson', folder.fileOf('a.ndjson'))
  // Descriptions come after the amounts, so no quoted comma is before them.
  const rows = textOf(folder.fileOf('k.csv')).trimEnd().split('\r\n').slice(1)
  const entries = rows.flatMap((row) => {
    const [, sent = '', sentIn, received = '', receivedIn, column = '', feeIn] = row.split(',')
    // The importer drops such a fee.
    const fee = feeIn === sentIn || feeIn === receivedIn ? '' : column
    return [
      ...(sent ? [[sentIn, -scaled(sent)] as const] : []),
      ...(received ? [[receivedIn, scaled(received)] as const] : []),
      ...(fee ? [[feeIn, -scaled(fee)] as const] : []),
    ]
  })
  const changes = objectsOf(folder.fileOf('a.ndjson'))
    .filter(({ symbol }) => symbol !== null)
    .filter(({ kind, fee }) => kind !== 'STAKE' || fee !== null)
    .map((row) => [row.symbol, scaled(String(row.formatted_amount ?? row.formatted_fee))] as const)
  const found = sums(entries.filter(([currency]) => !/^NULL/.test(String(currency))))
  expect(found).toEqual(sums(changes))
  expect(found.size).toBeGreaterThan(3)
})

test('what another address of the same owner sent over a bridge merges with its send', async () => {
  using folder = startFolder()
  const ofOthers = folder.fileOf('others.csv')
  const ofOwn = folder.fileOf('own.csv')
  await activity('koinly', ofOthers)
  // The sender of all transfers over IBC to the account, with the prefix of another chain.
  await activity('koinly', ofOwn, '--own', 'osmo1nk35mu4vpdrphsrekn68sqpudhsgl0e9waklwj')
  const arrivals = (file: string) =>
    textOf(file)
      .split('\r\n')
      .filter((line) => /Received .* over IBC/.test(line))
  const hashes = arrivals(ofOthers).map((line) => line.split(',').at(-1))
  expect(hashes.length).toBeGreaterThan(3)
  for (const hash of hashes) expect(hash).toMatch(/^[0-9A-F]{64}$/)
  const merged = arrivals(ofOwn)
  expect(merged.map((line) => line.split(',').at(-1))).toEqual(hashes.map(() => ''))
  expect(merged.map((line) => /([0-9A-F]{64})"?,$/.exec(line)?.[1])).toEqual(hashes)
})

test('the same export gives the same bytes, and its notes are in a file beside', async () => {
  using folder = startFolder()
  await activity('koinly', folder.fileOf('one.csv'))
  const { err } = await activity('koinly', folder.fileOf('other.csv'))
  expect(textOf(folder.fileOf('one.csv'))).toBe(textOf(folder.fileOf('other.csv')))
  const notes = textOf(folder.fileOf('other.csv.notes.txt'))
  expect(notes).toMatch(/^\d+ transactions moved NFTs or objects, which are not in this format\.$/m)
  for (const note of notes.trimEnd().split('\n')) expect(err).toContain(`  ${note}\n`)
})

test('a terminal sees that transfers are looked through before the first rows', async () => {
  using folder = startFolder()
  const argv = ['activity', '--url', world.url, '--address', address, '--format', 'koinly']
  const { err } = await run([...argv, '--out', folder.fileOf('k.csv')], { isTerminal: true })
  expect(err).toMatch(/^\rLooked through \d+ transfers for those that came back.*\r\d+ rows/s)
})
