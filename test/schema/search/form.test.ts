import { expect, test } from 'vitest'
import { findForm, searchText } from '../../../src/schema/search/form.ts'

const hash = '82F15C4FB1E4A968B5F5F74298DE224C3FA5BC4D68ED00778222E5F6DCB5CA39'
const evmHash = `0x${hash.toLowerCase()}`
const signature = '5'.repeat(87)
const account = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
const wallet = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'

test.each([
  [`https://scan.testnet.initia.xyz/interwoven-1/txs/${hash}`, hash],
  [`https://etherscan.io/tx/${evmHash}#eventlog`, evmHash],
  [`https://etherscan.io/tx/${evmHash}?from=${wallet}`, evmHash],
  [`HTTPS://solscan.io/tx/${signature}?cluster=mainnet`, signature],
  [`https://explorer.example/#/tx/${hash}`, hash],
  [`https://explorer.example/address/${account}/tx/${hash}`, hash],
  [`https://www.mintscan.io/initia/address/${account}`, account],
  [`https://etherscan.io/address/${wallet}`, wallet],
  ['http://explorer.example:8080/chain/1/blocks/1041/', '1041'],
  [`https://explorer.example/assets/ibc%2F${hash}`, `ibc/${hash}`],
  ['https://explorer.example/about', 'https://explorer.example/about'],
  ['https://explorer.example/%E0%A4%A/1041', '1041'],
  [`https://${'x'.repeat(2_100)}/tx/${hash}`, `https://${'x'.repeat(2_100)}/tx/${hash}`],
  ['https://', 'https://'],
  // Celatone, and links as browsers show them.
  [`https://celatone.initia.xyz/interwoven-1/accounts/${account}`, account],
  [`https://celatone.initia.xyz/interwoven-1/txs/${hash}`, hash],
  [`etherscan.io/token/${wallet}`, wallet],
  [`scan.initia.xyz/interwoven-1/blocks/1041`, '1041'],
  ['factory/init1abc/coin', 'factory/init1abc/coin'],
])('of the link %s, %s is searched', (link, text) => {
  expect(searchText(` ${link} `)).toBe(text)
})

test.each([
  ['galley-1/1041', 'galley-1', 1041n],
  ['galley 1041', 'galley', 1041n],
  ['Galley #1,041', 'Galley', 1041n],
  ['galley-1 block 1041', 'galley-1', 1041n],
  ['My Chain: 7', 'My Chain', 7n],
])('%s is the block of a chain', (text, chain, height) => {
  expect(findForm(text).place).toEqual({ chain, height })
})

test.each(['galley-1', 'galley', '1041', '/1041', 'galley 0', 'galley 1,04', 'ibc/1041', `galley ${'9'.repeat(17)}`])(
  '%s is no block of a chain',
  (text) => {
    expect(findForm(text).place).toBeNull()
  },
)

test.each([
  [wallet, true],
  // Tools of Move leave out leading zeros.
  [`0x${'a'.repeat(39)}`, true],
  [`0x${'a'.repeat(63)}`, true],
  ['0x1', true],
  ['0xff', true],
  [account, true],
  ['0x77fe0c22', false],
  ['0x100', false],
  [wallet.slice(0, 30), false],
  [`0x${'a'.repeat(50)}`, false],
  [`${account.slice(0, 8)}…${account.slice(-3)}`, false],
  [account.slice(0, -1), false],
])('%s is an address: %s', (text, isAddress) => {
  expect(findForm(text).isAddress).toBe(isAddress)
})
