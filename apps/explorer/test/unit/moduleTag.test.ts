import { expect, test } from 'vitest'
import { ModuleTag } from '../../src/parts/ModuleTag.tsx'

const shown = (address: string) => ModuleTag({ of: address })?.props.children

test('module accounts are named in any spelling, and no others', () => {
  expect(shown('init17xpfvakm2amg962yls6f84z3kell8c5l70rnql')).toBe('Fee collector')
  expect(shown('0xF1829676db577682e944fc3493d451b67ff3e29f')).toBe('Fee collector')
  expect(shown('cosmos1x54ltnyg88k0ejmk8ytwrhd3ltm84xehrnlslf')).toBe('IBC escrow of channel-141')
  expect(shown('cosmos1j4yzhgjm00ch3h0p9kel7g8sp6g045qfxxxxxx')).toBe('Auction')
  expect(shown('init1wllqcgh04444mr53tegtrkdlc970awqhddazg3')).toBeUndefined()
})
