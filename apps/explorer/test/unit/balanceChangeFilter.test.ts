import { expect, test } from 'vitest'
import { choiceOf, noChoice, queryOf } from '../../src/pages/account/activityFilter.ts'
import {
  type ChangedAsset,
  hasParty,
  isDust,
  isOfSides,
  isParty,
  isToken,
  listedChains,
} from '../../src/pages/account/balanceChangeFilter.ts'
import { balanceChangeRowOf } from '../../src/pages/account/balanceChangeRow.ts'

const own = ['init1wllqcgh04444mr53tegtrkdlc970awqhddazg3']
const stranger = 'init17xpfvakm2amg962yls6f84z3kell8c5l70rnql'
const listed = new Set(['a-1'])
const init: ChangedAsset = { amount: '5', asset: { isListed: true } }
const fake: ChangedAsset = { amount: '-90223744', asset: null }
const row = (changes: readonly ChangedAsset[], signer: string | undefined = stranger, chainId = 'a-1') => ({
  ...{ chain: { chainId }, signer, changes, parties: [stranger] },
})

test('what strangers moved is hidden if all of it is an amount of 0 or an unlisted token', () => {
  const isHidden = (changes: readonly ChangedAsset[]) => isDust(row(changes), own, listed)
  expect([[fake], [{ ...init, amount: '0' }], [{ amount: '0', asset: null }, fake]].map(isHidden)).toEqual([
    true,
    true,
    true,
  ])
  expect([[init], [init, fake], []].map(isHidden)).toEqual([false, false, false])
  // An asset that is known, but not listed, is as good as unknown.
  expect(isHidden([{ amount: '1', asset: { isListed: false } }])).toBe(true)
})

test('an NFT of a stranger is hidden if the indexer does not list its collection', () => {
  const nft = (standard: string): ChangedAsset => ({ amount: '1', tokenId: '7', standard })
  expect(isDust(row([nft('ERC1155'), fake]), own, listed)).toBe(true)
  // No list of assets of the router has NFTs.
  expect(isDust(row([nft('ERC1155')]), own, new Set())).toBe(true)
  expect(isDust(row([nft('ERC1155'), init]), own, listed)).toBe(false)
  expect(isDust(row([nft('ERC721'), fake]), own, listed)).toBe(false)
  expect(isDust(row([nft('ERC1155')], own[0]), own, listed)).toBe(false)
})

test('NFTs of other standards, objects, amounts that are unknown, and what the account signed are never hidden', () => {
  const things: ChangedAsset[] = [
    { amount: '1', tokenId: '7' },
    { amount: '1', tokenId: '7', standard: undefined },
    { amount: '1', objectAddress: '0x1' },
    { amount: null },
  ]
  for (const thing of things) expect(isDust(row([thing]), own, listed)).toBe(false)
  expect(isDust(row([fake], own[0]), own, listed)).toBe(false)
  expect(isDust({ ...row([fake]), signer: undefined }, own, listed)).toBe(false)
})

test('no token is taken for unlisted on a chain whose list of assets was not read', () => {
  expect([...listedChains([row([fake]), row([init], stranger, 'b-1')], new Map([['c-1 uc', 1]]))]).toEqual([
    'b-1',
    'c-1',
  ])
  expect(isDust(row([fake]), own, new Set(['b-1']))).toBe(false)
  expect(isDust(row([{ amount: '0', asset: null }]), own, new Set())).toBe(true)
})

test('a party is found by any spelling, or by a part of its address', () => {
  expect(isParty(stranger, '0xF1829676db577682e944fc3493d451b67ff3e29f')).toBe(true)
  expect(isParty('0xf1829676db577682e944fc3493d451b67ff3e29f', stranger.replace('init', 'init'))).toBe(true)
  expect(isParty(stranger, 'INIT17XP')).toBe(true)
  expect(isParty(own[0], stranger)).toBe(false)
  expect(hasParty(row([init]), { ...noChoice, party: '7xpf' })).toBe(true)
  expect(hasParty({ parties: [undefined, null] }, { ...noChoice, party: 'a' })).toBe(false)
})

test('both directions of a swap are chosen', () => {
  const ways = (amounts: readonly (string | null)[]) =>
    (['', 'in', 'out'] as const).map((direction) =>
      isOfSides(row(amounts.map((amount) => ({ amount }))), { ...noChoice, direction }),
    )
  expect(ways(['-1', '5'])).toEqual([true, true, true])
  expect(ways(['5'])).toEqual([true, true, false])
  expect(ways([null])).toEqual([true, false, false])
})

test('a swap of one asset for another is chosen by what went out and by what came in, each its own way', () => {
  const swap = row([
    { denom: 'ibc/OSMO', amount: '-585679064' },
    { denom: 'uinit', amount: '615826820' },
  ])
  const has = (direction: 'in' | 'out' | '', token: string) => isOfSides(swap, { ...noChoice, direction, token })
  expect([has('out', 'uinit'), has('in', 'uinit'), has('', 'uinit')]).toEqual([false, true, true])
  expect([has('out', 'ibc/OSMO'), has('in', 'ibc/OSMO')]).toEqual([true, false])
})

test('the fee is no change, and what a sentence alone names went no way', () => {
  const failed = balanceChangeRowOf({
    chain: { chainId: 'a-1' },
    changes: [{ kind: 'FEE', denom: 'ugas', amount: '-7' }],
    actions: [{ summaryParts: [{ amount: { denom: 'uinit', amount: '5' } }] }],
  })
  const has = (direction: 'in' | 'out' | '', token: string) => isOfSides(failed, { ...noChoice, direction, token })
  expect([has('', ''), has('', 'uinit'), has('', 'ugas')]).toEqual([true, true, false])
  expect([has('out', 'ugas'), has('out', ''), has('in', 'uinit')]).toEqual([false, false, false])
})

test('an NFT and an object are chosen by the address that the file has for them', () => {
  const place = { address: '0xab' }
  const isOf = (change: Parameters<typeof balanceChangeRowOf>[0]['changes']) =>
    isOfSides(balanceChangeRowOf({ chain: { chainId: 'a-1' }, changes: change }), {
      ...noChoice,
      token: '0xAB',
    })
  const each = [{ collection: place, contract: null }, { contract: place }, { objectAddress: '0xab' }, { denom: 'x' }]
  expect(each.map((change) => isOf([{ kind: 'NFT', amount: '1', ...change }]))).toEqual([true, true, true, false])
})

test('the choice is kept in the query, and what is no choice is dropped', () => {
  const query = 'direction=out&party=init1abc&dust=show'
  expect(queryOf(choiceOf(new URLSearchParams(query))).toString()).toBe(query)
  expect(choiceOf(new URLSearchParams('direction=up&dust=yes&party=%20'))).toEqual(noChoice)
})

test('a token is found by its denoms, and a coin of an EVM chain by its contract', () => {
  const contract = '0x36b3f2b5b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6'
  const has = (denom: string | null, token: string) => isToken({ denom }, { token })
  expect(['uinit', 'l2/1'].map((denom) => has(denom, 'uinit l2/1'))).toEqual([true, true])
  expect(has(contract, `evm/${contract.slice(2).toUpperCase()}`)).toBe(true)
  expect([has('uinitx', 'uinit'), has(null, 'uinit')]).toEqual([false, false])
  expect(has('any', '')).toBe(true)
})
