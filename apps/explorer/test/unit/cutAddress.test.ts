import { expect, test } from 'vitest'
import { isCutAddress } from '../../src/values/cutAddress.ts'

const wallet = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'
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
])('%s is a cut address', (text) => expect(isCutAddress(text)).toBe(true))

test.each([
  wallet,
  account,
  `init1${'q'.repeat(58)}`,
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
])('%s is none', (text) => expect(isCutAddress(text)).toBe(false))
