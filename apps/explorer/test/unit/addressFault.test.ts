import { expect, test } from 'vitest'
import { addressFault, beginsAsAddress } from '../../src/values/addressFault.ts'

const wallet = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'
const hash = '82F15C4FB1E4A968B5F5F74298DE224C3FA5BC4D68ED00778222E5F6DCB5CA39'
const account = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'

test.each([
  '0x77fe0c22',
  '0x100',
  wallet.slice(0, -6),
  `${wallet}aaaa`,
  '0x77fe…b817',
  '0x1...b817',
  'init1abc…xyz',
  'init1…lex62g',
  '0x…feb817',
  'initvaloper1um6…',
  '82F1…CA39',
  'init1wllq...azg3',
  'init1wllqcgh04444mr53tegtr',
  hash.slice(0, -1),
  hash.slice(0, 10).toLowerCase(),
])('%s is a cut address', (text) => expect(addressFault(text)).toBe('cut'))

test.each([
  wallet,
  account,
  account.toUpperCase(),
  wallet.slice(2),
  hash,
  // The examples of BIP-173 and BIP-350.
  'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  '0x1',
  '0xff',
  `0x${'a'.repeat(64)}`,
  '0x',
  '0x protocol',
  'wait…',
  'Abc … def',
  'interwoven-1',
  'galley1',
  'INIT',
  '1041',
  // Of Solana.
  'HN1cxFZqQ3M8r5pEvWAxkYyQzKmLdsgQvGfTkRnuh7Sc',
  'decadefacade',
  'facade99',
  '1234567890123456',
])('%s has no fault', (text) => expect(addressFault(text)).toBeUndefined())

test.each([`${hash}A`, `0x${hash}0`, hash + hash])('%s is too long', (text) => expect(addressFault(text)).toBe('long'))

test.each([account.replace(/3$/, '4'), account.replace('44', '45'), `init1${'q'.repeat(58)}`])(
  '%s has a wrong checksum',
  (text) => expect(addressFault(text)).toBe('mistyped'),
)

test.each(['init1wllqcgh', 'INIT1WLLQ', 'osmo1zmw2'])('%s begins as an address, and may be a name', (text) => {
  expect(addressFault(text)).toBeUndefined()
  expect(beginsAsAddress(text)).toBe(true)
})

test.each([
  'init1',
  'galley1',
  'interwoven-1',
  'INIT',
  '0x',
  '0x protocol',
  'token1box',
  '1041',
  'a1',
  'facade',
  account,
  wallet,
  `0x${hash}`,
])('%s does not', (text) => expect(beginsAsAddress(text)).toBe(false))
