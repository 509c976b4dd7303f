import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { bytesOf } from '../../src/addresses/bytes.ts'
import { moduleOf } from '../../src/addresses/modules.ts'

const named = (address: string) => moduleOf(bytesOf(address) ?? '')

// As the chains have them.
test.each([
  ['cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta', 'fee_collector'],
  ['cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn', 'gov'],
  ['cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl', 'distribution'],
  ['cosmos1m3h30wlvsf8llruxtpukdvsy0km2kum8g38c8q', 'mint'],
  ['cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh', 'bonded_tokens_pool'],
  ['cosmos1tygms3xhhs3yv487phx3dw4a95jn7t7lpm470r', 'not_bonded_tokens_pool'],
  ['init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne', 'opchild'],
  ['0xf1829676db577682e944fc3493d451b67ff3e29f', 'fee_collector'],
])('%s is the account of the module %s', (address, name) => {
  expect(named(address)).toEqual({ kind: 'MODULE', name })
})

const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('the escrow account of a channel is that of its port, and a client of IBC v2 has one too', () => {
  expect(named('cosmos1x54ltnyg88k0ejmk8ytwrhd3ltm84xehrnlslf')).toEqual({
    ...{ kind: 'ESCROW', port: 'transfer', channel: 'channel-141' },
  })
  for (const [version, port, channel] of [
    ['ics20-1', 'transfer', '07-tendermint-12'],
    ['ics721-1', 'nft-transfer', 'channel-255'],
  ] as const) {
    const bytes = hexOf(sha256(version, '\0', `${port}/${channel}`)).slice(0, 40)
    expect(moduleOf(bytes)).toEqual({ kind: 'ESCROW', port, channel })
  }
})

test('a bridge of OPinit has 32 bytes, of its id in eight bytes after the name of the module', () => {
  const id = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 200)
  const bytes = hexOf(sha256(sha256('module'), 'ophost\0', id))
  expect(moduleOf(bytes)).toEqual({ kind: 'BRIDGE', bridgeId: 200 })
})

test('an address with a key is of no module', () => {
  expect(named('init1wllqcgh04444mr53tegtrkdlc970awqhddazg3')).toBeUndefined()
  expect(moduleOf('')).toBeUndefined()
})
