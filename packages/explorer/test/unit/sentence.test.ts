import { expect, test } from 'vitest'
import { says } from '../../../words/src/actions/sentence.ts'
import { rawAmount, shortText, summaryOf } from '../../../words/src/actions/summary.ts'
import { cutText, type ToldAction, toParts } from '../../src/app/sentence.ts'

const me = 'init1h6mtgzn9cdm86xv9774k7zmsv3x8427wk46gel'
const hex = '0xbeb6b40a65c3767d1985f7ab6f0b70644c7aabce'
const other = '0x0d421b0a65c3767d1985f7ab6f0b7064d45351f5'
const token = 'init1jrlzll2slaf30aaye7ce8sj0huy8m5y22jgmkshsluzvgjp0dkksrylkmz'
const validator = 'initvaloper1um6gn3cpf0v6k795ca2ytdw9tu7e9f2tf7slkw'
const spelled = { address: me, hexAddress: hex, bech32Address: me }
const coin = {
  ...{ amount: '3258000', denom: 'ugal', formattedAmount: '3.258' },
  asset: { chainId: 'a-1', symbol: 'GAL' },
}
const unlisted = { amount: '157018000', denom: token, formattedAmount: null, asset: null }

/** The texts of the parts that name something, with what each names. */
const named = (action: ToldAction) =>
  toParts(action).flatMap(({ text, names }) => (names ? [[text, names] as const] : []))

test.each([me, hex, token, validator, 'uwave', 'ibc/0123', '0x12', 'osmo1kjxphg'])(
  'cutText cuts %s as words do',
  (text) => {
    expect(cutText(text)).toBe(shortText(text, 6, 6))
    expect(cutText(text, 14)).toBe(shortText(text, 14, 6))
  },
)

test('an address is named in each of its spellings, and an amount by its asset', () => {
  for (const written of [me, hex]) {
    const summary = `Sent 3.258 GAL to ${cutText(written)}`
    expect(named({ summary, counterparty: spelled, amounts: [coin] })).toEqual([
      ['3.258 GAL', { kind: 'amount', amount: coin }],
      [cutText(written), { kind: 'account', address: me }],
    ])
  }
})

test('the parts together are the sentence', () => {
  const summary = `Sent 3.258 GAL and 13.258 GAL to ${cutText(hex)}, executed by ${cutText(other)}`
  const parts = toParts({ summary, counterparty: spelled, executor: { address: other }, amounts: [coin] })
  expect(parts.map(({ text }) => text).join('')).toBe(summary)
  // Another amount that ends alike is none of the action.
  expect(parts.filter(({ names }) => names?.kind === 'amount')).toHaveLength(1)
})

test('an amount that nobody lists is found by all of its digits', () => {
  const written = rawAmount({ denom: token, amount: 157018000n })
  expect(named({ summary: `Sent ${written} to you`, amounts: [unlisted] })).toEqual([
    [written, { kind: 'amount', amount: unlisted }],
  ])
  const metadata = `0x${'a1dba2'.repeat(10)}c0de`
  const moved = rawAmount({ denom: null, metadata, amount: 1n })
  const one = { ...unlisted, amount: '1', denom: metadata }
  expect(named({ summary: `Minted ${moved}`, amounts: [one] })).toEqual([[moved, { kind: 'amount', amount: one }]])
})

test('an NFT is named with its collection, and an object by its address', () => {
  const collection = { address: other, hexAddress: other }
  expect(named({ summary: `Sent NFT 71 of ${cutText(other)}`, nfts: [{ tokenId: '71', collection }] })).toEqual([
    [`NFT 71 of ${cutText(other)}`, { kind: 'nft', collection: other, tokenId: '71' }],
  ])
  const odd = { tokenId: 'hold\nin\u200b "lines"', collection }
  expect(named({ summary: `Sent NFT “hold in 'lines'” of ${cutText(other)}`, nfts: [odd] })[0]?.[1]).toMatchObject({
    ...{ kind: 'nft', tokenId: odd.tokenId },
  })
  expect(named({ summary: `Sent 2 NFTs of ${cutText(other)}`, nfts: [{ tokenId: '71', collection }] })).toEqual([
    [cutText(other), { kind: 'collection', address: other }],
  ])
  expect(named({ summary: `Sent object ${cutText(other)}`, nfts: [{ objectAddress: other }] })).toEqual([
    [cutText(other), { kind: 'account', address: other }],
  ])
})

test.each([
  ['Delegated 3.258 GAL to Fathom Five', 'Fathom Five'],
  ['Redelegated 3.258 GAL from Polaris to Dead Reckoning, got 1 GAL of rewards', 'Dead Reckoning'],
  ['Tried to claim rewards from “north-star ✦”', '“north-star ✦”'],
  [`Delegated 3.258 GAL to ${cutText(validator)}`, cutText(validator)],
])('the validator of "%s" is %s', (summary, name) => {
  const found = named({ summary, validatorAddress: validator }).map(([text, names]) => [text, names])
  expect(found).toEqual([[name, { kind: 'account', address: validator }]])
})

test('the chain behind a channel stands beside it', () => {
  const chain = { chainId: 'osmosis-1', prettyName: 'Osmosis' }
  const summary = 'Sent coins over IBC channel-9'
  expect(named({ summary, channel: 'channel-9', otherChain: chain })).toEqual([
    ['IBC channel-9', { kind: 'chain', chain }],
  ])
  expect(named({ summary, channel: 'channel-9' })).toEqual([])
})

test('two accounts that are cut alike are no links', () => {
  const twin = hex.replace('0a65c3', 'ffffff')
  const summary = `Sent coins to ${cutText(hex)}`
  expect(cutText(twin)).toBe(cutText(hex))
  expect(named({ summary, counterparty: { address: hex }, actor: { address: twin } })).toEqual([])
})

test('a sentence of the words package is cut where its pieces are', () => {
  const summary = summaryOf(
    {
      ...{ kind: 'SEND', messageIndex: 0, messageType: null, isSuccessful: false, actor: me, executor: other },
      says: says(['Sent', 'send'], ' ', { amounts: [{ denom: token, amount: 157018000n }], otherwise: '' }, ' to ', {
        address: validator,
      }),
    },
    {},
  )
  const parts = toParts({
    ...{ summary, actor: spelled, executor: { address: other } },
    ...{ counterparty: { address: validator }, amounts: [unlisted] },
  })
  expect(parts.filter(({ names }) => !names).map(({ text }) => text)).toEqual([
    'Tried to send ',
    ' to ',
    ', executed by ',
    ' for ',
  ])
})

test('an account that has the same spelling on both chains of a bridge is one thing', () => {
  const summary = `Received coins over IBC channel-0 for ${cutText(me)} from ${cutText(me)}`
  const both = named({ summary, actor: { address: hex, bech32Address: me }, remoteAddress: me })
  expect(both.map(([text]) => text)).toEqual([cutText(me), cutText(me)])
})
