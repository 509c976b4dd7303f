import { expect, test } from 'vitest'
import { createSigner } from '../../../src/engine/signing/signer.ts'
import { createGateway } from '../../../src/gateway.ts'

const [oldKey, newKey, otherKey] = ['o', 'n', 'x'].map((letter) => letter.repeat(32)) as [string, string, string]

test('a signature is valid for its data, purpose and key only', () => {
  const signer = createSigner([oldKey])
  const signature = signer.sign('cursor 1', 'text')
  expect(signer.verify('cursor 1', 'text', signature)).toBe(true)
  expect(signer.verify('cursor 1', 'texts', signature)).toBe(false)
  expect(signer.verify('route 1', 'text', signature)).toBe(false)
  expect(createSigner([otherKey]).verify('cursor 1', 'text', signature)).toBe(false)
  expect(signer.verify('cursor 1', 'text', signature.subarray(1))).toBe(false)
  expect(signer.verify('cursor 1', 'text', Buffer.alloc(0))).toBe(false)
})

test('the first key signs, and all keys are accepted', () => {
  const rotated = createSigner([newKey, oldKey])
  expect(rotated.verify('p', 'text', createSigner([oldKey]).sign('p', 'text'))).toBe(true)
  expect(rotated.sign('p', 'text')).toEqual(createSigner([newKey]).sign('p', 'text'))
  expect(createSigner([oldKey]).verify('p', 'text', rotated.sign('p', 'text'))).toBe(false)
})

test('a key of fewer than 32 bytes is refused', () => {
  for (const keys of [[], ['short'], [oldKey, 'o'.repeat(31)]]) {
    expect(() => createSigner(keys)).toThrow('at least 32 bytes')
  }
})

/** A gateway without upstreams, and what it logs. */
async function startGateway(signingKeys?: readonly string[], isSandbox = false) {
  const lines: unknown[] = []
  const write = (...args: unknown[]) => void lines.push(...args)
  const gateway = await createGateway({
    chains: [{ chainId: 'a-1', url: 'http://127.0.0.1:9' }],
    log: { debug() {}, info: write, warn() {}, error() {} },
    ...{ signingKeys, isSandbox },
  })
  return { lines, gateway }
}

test('gateways with the same keys accept what the others sign', async () => {
  const first = await startGateway([oldKey])
  const second = await startGateway([newKey, oldKey])
  await using one = first.gateway
  await using two = second.gateway
  const signature = one.shared.signer.sign('p', 'text')
  expect(two.shared.signer.verify('p', 'text', signature)).toBe(true)
  expect([first.lines, second.lines]).toEqual([[], []])
})

test('a gateway without keys makes one for itself, and logs that', async () => {
  const first = await startGateway()
  const second = await startGateway()
  await using one = first.gateway
  await using two = second.gateway
  const signature = one.shared.signer.sign('p', 'text')
  expect(one.shared.signer.verify('p', 'text', signature)).toBe(true)
  expect(two.shared.signer.verify('p', 'text', signature)).toBe(false)
  expect(first.lines).toHaveLength(1)
  expect(first.lines[0]).toContain('SIGNING_KEYS')
})

test('sandboxes without keys have the same one, and log that', async () => {
  const first = await startGateway(undefined, true)
  const second = await startGateway(undefined, true)
  await using one = first.gateway
  await using two = second.gateway
  const signature = one.shared.signer.sign('p', 'text')
  expect(two.shared.signer.verify('p', 'text', signature)).toBe(true)
  expect(first.lines).toEqual([expect.stringContaining('a key that everyone knows')])
})
