import { expect, test } from 'vitest'
import type { ReturnedHalf } from '../src/koinly/findReturned.ts'
import type { KoinlyChange } from '../src/koinly/koinlyEdge.ts'
import { action, change, coin, edge, fee, init, me, nowhere, usdc, write } from './support/koinlyRows.ts'

const friend = 'init1friend'

test('a send has a fee in another currency beside it, and the time in whole seconds of UTC', () => {
  const sent = change('-2500000', { denom: 'uusdc', asset: usdc })
  const { rows, all } = write([edge([action('SEND')], [fee('-5000'), sent])])
  expect(rows).toEqual(['2.5|USDC|||0.005|INIT||||hub-1: Did SEND|AB'])
  expect(all[0]?.[0]).toBe('2026-11-21 11:44:39')
})

test('a fee in the currency that was sent is a cost of its own, since the importer drops it beside the send', () => {
  expect(write([edge([action('SEND')], [fee('-5000'), change('-2500000')])]).rows).toEqual([
    '0.005|INIT|||||||cost|hub-1: Did SEND|AB',
    '2.5|INIT||||||||hub-1: Did SEND|AB',
  ])
  // The importer knows the symbol alone, whatever the denoms are.
  const bridged = change('-2500000', { denom: 'ibc/1', asset: { ...init, symbol: 'INIT.x' } })
  expect(write([edge([action('SEND')], [fee('-5000'), bridged])]).rows).toHaveLength(2)
})

test('a fee in a currency that was swapped is a cost of its own', () => {
  const inUsdc = (amount: string) => change(amount, { denom: 'uusdc', asset: usdc })
  for (const changes of [
    [fee('-5000'), change('-1000000'), inUsdc('2000000')],
    [fee('-5000'), inUsdc('-2000000'), change('1000000')],
  ]) {
    const { rows } = write([edge([action('SWAP')], changes)])
    expect(rows).toHaveLength(2)
    expect(rows[0]).toBe('0.005|INIT|||||||cost|hub-1: Did SWAP|AB')
  }
})

test('a receipt has no fee beside it: the fee is a cost', () => {
  const { rows } = write([edge([action('SEND')], [fee('-5000'), change('1')])])
  expect(rows).toEqual([
    '0.005|INIT|||||||cost|hub-1: Did SEND|AB', //
    '||0.000001|INIT||||||hub-1: Did SEND|AB',
  ])
})

test('a fee of two denoms is written whole, the second as a cost', () => {
  const fees = [fee('-1000000'), fee('-2000000', { denom: 'uusdc', asset: usdc })]
  expect(write([edge([action('SEND')], [...fees, change('-3000000')])]).rows).toEqual([
    '1|INIT|||||||cost|hub-1: Did SEND|AB',
    '2|USDC|||||||cost|hub-1: Did SEND|AB',
    '3|INIT||||||||hub-1: Did SEND|AB',
  ])
})

test('a failed transaction has its fee alone', () => {
  const failed = edge([action('SEND', { isSuccessful: false })], [fee('-5000')], { isSuccessful: false })
  expect(write([failed]).rows).toEqual(['0.005|INIT|||||||cost|hub-1: Did SEND|AB'])
})

test.each(['STAKE', 'UNSTAKE', 'REDELEGATE'])('%s is no sale, and rewards paid along are rewards', (kind) => {
  const amounts = [coin('100000000')]
  const moved = kind === 'STAKE' ? '-98000000' : '2000000'
  const { rows } = write([edge([action(kind, { amounts })], [fee('-5000'), change(moved)])])
  expect(rows).toEqual([`0.005|INIT|||||||cost|hub-1: Did ${kind}|AB`, `||2|INIT|||||reward|hub-1: Did ${kind}|AB`])
})

test('stake without rewards has its fee alone', () => {
  const amounts = [coin('100000000')]
  const { rows } = write([edge([action('STAKE', { amounts })], [fee('-5000'), change('-100000000')])])
  expect(rows).toEqual(['0.005|INIT|||||||cost|hub-1: Did STAKE|AB'])
})

test('rewards have a row for each asset', () => {
  const gains = [change('1000000'), change('2000000', { denom: 'uusdc', asset: usdc })]
  expect(write([edge([action('CLAIM_REWARDS')], gains)]).rows).toEqual([
    '||1|INIT|||||reward|hub-1: Did CLAIM_REWARDS|AB',
    '||2|USDC|||||reward|hub-1: Did CLAIM_REWARDS|AB',
  ])
})

test('a swap is one row, and a pool a row for each asset', () => {
  const sail = { ...nowhere, symbol: 'SAIL', decimals: 6, origin: null }
  const lost = change('-1000000', { denom: 'usail', asset: sail })
  const changes = [fee('-5000'), lost, change('2000000', { denom: 'uusdc', asset: usdc })]
  expect(write([edge([action('SWAP')], changes)]).rows).toEqual(['1|SAIL|2|USDC|0.005|INIT||||hub-1: Did SWAP|AB'])
  expect(write([edge([action('ADD_LIQUIDITY')], changes)]).rows).toEqual([
    '1|SAIL|||0.005|INIT||||hub-1: Did ADD_LIQUIDITY|AB',
    '||2|USDC||||||hub-1: Did ADD_LIQUIDITY|AB',
  ])
})

test('a bridge receipt from an own address merges with its send: its hash is in the description', () => {
  const received = (remoteAddress: string) => edge([action('BRIDGE_IN', { remoteAddress })], [change('1000000')])
  expect(write([received(me), received(friend)]).rows).toEqual([
    '||1|INIT||||||hub-1: Did BRIDGE_IN, AB|',
    '||1|INIT||||||hub-1: Did BRIDGE_IN|AB',
  ])
})

const sent = edge([action('BRIDGE_OUT')], [fee('-5000'), change('-1500000')])
const refund = edge([action('BRIDGE_REFUND')], [change('1000000')], { hash: 'CD', signers: [] })
const half = (half: ReturnedHalf['half']): ReturnedHalf => ({ id: '7', half, denom: 'uinit', amount: 1_000_000n })

test('a transfer that came back is no sale and no income: its fee and what else moved is left', () => {
  const { rows, notes } = write([sent, refund], { AB: half('sent'), CD: half('returned') })
  expect(rows).toEqual([
    '0.005|INIT|||||||cost|hub-1: Did BRIDGE_OUT|AB', //
    '0.5|INIT||||||||hub-1: Did BRIDGE_OUT|AB',
  ])
  expect(notes).toEqual({})
})

test.each([
  ['after its send was written', { CD: half('returned') }],
  ['and whose send is not known', {}],
])('one that came back %s is noted, and can merge with it', (_what, halves) => {
  const { rows, notes } = write([sent, refund], halves)
  expect(rows).toEqual([
    '0.005|INIT|||||||cost|hub-1: Did BRIDGE_OUT|AB',
    '1.5|INIT||||||||hub-1: Did BRIDGE_OUT|AB',
    '||1|INIT||||||hub-1: Did BRIDGE_REFUND, CD|',
  ])
  expect(notes).toEqual({ lateRefunds: 1 })
})

test('tokens that no list names and nobody asked for are left out and counted, unless they are wanted', () => {
  const spam = change('5', { kind: 'TOKEN', denom: 'evm/spam', asset: null })
  const gift = edge([action('SEND', { actor: { hexAddress: '0x1' } })], [spam], { signers: [] })
  expect(write([gift])).toMatchObject({ rows: [], notes: { unlisted: 1 } })
  const { rows, notes } = write([gift], {}, true)
  expect(rows.join()).toMatch(/^\|\|5\|(NULL\d+)\|{6}hub-1: Did SEND, \1 is hub-1\/evm\/spam\|AB$/)
  expect(notes).toEqual({ unnamed: 1 })
})

/** A receipt of an asset without a symbol, and the name that it gets. */
const unnamed = (denom: string, asset: KoinlyChange['asset'] = null) =>
  edge([action('SEND')], [change('1', { denom, asset })])
const namesIn = (rows: readonly string[]) => rows.map((row) => row.split('|')[3])

test('an asset without a symbol has the same number in all files, whatever came before it', () => {
  const { rows, notes } = write([unnamed('a'), unnamed('b'), unnamed('a')])
  const [a, b] = namesIn(rows)
  expect(rows).toEqual([
    `||1|${a}||||||hub-1: Did SEND, ${a} is hub-1/a|AB`,
    `||1|${b}||||||hub-1: Did SEND, ${b} is hub-1/b|AB`,
    `||1|${a}||||||hub-1: Did SEND, ${a} is hub-1/a|AB`,
  ])
  for (const name of [a, b]) expect(name).toMatch(/^NULL[1-9]\d{0,3}$/)
  expect(a).not.toBe(b)
  expect(notes).toEqual({ unnamed: 2 })
  expect(namesIn(write([unnamed('b'), unnamed('a')]).rows)).toEqual([b, a])
})

test('an asset of another chain has the number that it has there', () => {
  const there = { symbol: null, decimals: 6, origin: null, originChainId: 'hub-1', originDenom: 'a' }
  const [here, abroad] = namesIn(write([unnamed('a', { ...there, ...nowhere }), unnamed('ibc/1', there)]).rows)
  expect(abroad).toBe(here)
})

test('two assets with one number are not one currency: the second has another number, which is noted', () => {
  const first = new Map<string | undefined, string>()
  const pair = (() => {
    for (let index = 0; ; index++) {
      const [name] = namesIn(write([unnamed(`u${index}`)]).rows)
      const other = first.get(name)
      if (other !== undefined) return [other, `u${index}`] as const
      first.set(name, `u${index}`)
    }
  })()
  const { rows, notes } = write(pair.map((denom) => unnamed(denom)))
  expect(new Set(namesIn(rows)).size).toBe(2)
  expect(notes).toEqual({ unnamed: 2, renumbered: 1 })
  expect(rows[1]).toContain(` is hub-1/${pair[1]}`)
})

test('NFTs are counted, and calls without a name too', () => {
  const nft = change('-1', { kind: 'NFT', denom: null, asset: null })
  expect(write([edge([action('NFT_TRANSFER')], [nft])])).toMatchObject({ rows: [], notes: { nfts: 1 } })
  const { rows, notes } = write([edge([action('CONTRACT_CALL')], [change('-1000000')])])
  expect(rows).toEqual(['1|INIT||||||||hub-1: Did CONTRACT_CALL|AB'])
  expect(notes).toEqual({ unexplained: 1 })
})

test('amounts of any size have all their digits, and no exponent', () => {
  const asset = { ...nowhere, symbol: 'WEI', decimals: 18, origin: null }
  const changes = [
    change('-1', { asset }),
    change(String(2n ** 200n), { denom: 'b', asset: { ...asset, symbol: 'UNIT', decimals: 0 } }),
  ]
  expect(write([edge([action('SWAP')], changes)]).rows).toEqual([
    `0.000000000000000001|WEI|${2n ** 200n}|UNIT||||||hub-1: Did SWAP|AB`,
  ])
})

test('the net worth is that of what was sent, or else of what was received', () => {
  const lost = change('-2500000', { usdValueAtTime: '-0.875' })
  const got = change('2000000', { denom: 'uusdc', asset: usdc, usdValueAtTime: '1.99' })
  const unknown = change('-2500000')
  const rowsOf = (kind: string, changes: readonly KoinlyChange[]) => write([edge([action(kind)], changes)]).rows
  expect(rowsOf('SWAP', [lost, got])).toEqual(['2.5|INIT|2|USDC|||0.875|USD||hub-1: Did SWAP|AB'])
  expect(rowsOf('SWAP', [unknown, got])).toEqual(['2.5|INIT|2|USDC|||1.99|USD||hub-1: Did SWAP|AB'])
  expect(rowsOf('SEND', [fee('-5000', { usdValueAtTime: '-0.00175' }), got])).toEqual([
    '0.005|INIT|||||0.00175|USD|cost|hub-1: Did SEND|AB',
    '||2|USDC|||1.99|USD||hub-1: Did SEND|AB',
  ])
})

test('a part of a change is worth its part, rounded once to eight places', () => {
  const amounts = [coin('100000000')]
  const staked = (value: string) =>
    write([edge([action('STAKE', { amounts })], [change('-97000000', { usdValueAtTime: value })])]).rows
  expect(staked('-32.98')).toEqual(['||3|INIT|||1.02|USD|reward|hub-1: Did STAKE|AB'])
  expect(staked('-10')).toEqual(['||3|INIT|||0.30927835|USD|reward|hub-1: Did STAKE|AB'])
  expect(staked('-0.0000001')).toEqual(['||3|INIT|||||reward|hub-1: Did STAKE|AB'])
  expect(staked('0')).toEqual(['||3|INIT|||||reward|hub-1: Did STAKE|AB'])
})
