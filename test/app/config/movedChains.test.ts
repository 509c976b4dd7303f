import { expect, test } from 'vitest'
import { startSandbox } from '../../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../../src/gateway.ts'
import { post } from '../../support/http.ts'
import { startScriptedUpstream } from '../../support/scriptedUpstream.ts'
import { type Data, now, youngChains } from '../../support/world.ts'

const chainId = 'galley-1'

/** A network whose records no other seed has. */
const startNetwork = (seed: string) => startSandbox({ seed, chains: youngChains(60), clock: () => now })

const urlOf = ({ indexers }: Awaited<ReturnType<typeof startNetwork>>, id = chainId): string => {
  const found = indexers.find((indexer) => indexer.chainId === id)
  if (!found) throw new Error('no such chain')
  return found.url
}

const blockOf = async (url: string, height: number): Promise<Data> =>
  (await (await fetch(`${url}/indexer/block/v1/blocks/${height}`)).json()).block

test('a chain moved to another indexer has no cached answers of the old one', async () => {
  await using before = await startNetwork('before')
  await using after = await startNetwork('after')
  await using gateway = await createGateway({ chains: [{ chainId, url: urlOf(before) }] })
  const data = async (query: string) => {
    const { body } = await post(gateway.url, { query: `{ chain { ${query} } }` })
    expect(body.errors).toBeUndefined()
    return body.data.chain
  }
  const [old, next] = await Promise.all([before, after].map((network) => blockOf(urlOf(network), 40)))
  expect(old.hash).not.toBe(next.hash)
  const byHeight = 'block(height: 40) { hash }'
  const byHash = `blockByHash(hash: "${old.hash}") { height hash }`
  const page = 'blocks(first: 3, order: ASC) { nodes { height hash } }'
  for (let time = 0; time < 3; time += 1) {
    expect(await data(byHeight)).toEqual({ block: { hash: old.hash } })
    expect(await data(byHash)).toEqual({ blockByHash: { height: 40, hash: old.hash } })
    await data(page)
  }
  before.requests.length = 0
  gateway.updateChains({ chains: [{ chainId, url: urlOf(after) }] })
  expect(await data(byHeight)).toEqual({ block: { hash: next.hash } })
  expect(await data(`alias: ${byHeight}`)).toEqual({ alias: { hash: next.hash } })
  expect(await data(byHash)).toEqual({ blockByHash: null })
  expect((await data(page)).blocks.nodes[0].hash).toBe((await blockOf(urlOf(after), 1)).hash)
  expect(before.requests).toEqual([])
})

test('a cached block is compared with the hash it is looked up by', async () => {
  await using network = await startNetwork('before')
  const limits = { cacheTtlMs: 0 }
  await using gateway = await createGateway({ chains: [{ chainId, url: urlOf(network) }], limits })
  const { hash } = await blockOf(urlOf(network), 40)
  const query = `{ chain { blockByHash(hash: "${hash}") { height } } }`
  expect((await post(gateway.url, { query })).body.data.chain.blockByHash).toEqual({ height: 40 })
  // The chain is reset, behind the same URL.
  const reset = (block: Data) => (block.height === '40' ? { ...block, hash: 'AB'.repeat(32) } : block)
  network.faults.set(chainId, '/indexer/block/v1/blocks', {
    kind: 'change',
    change: (json: Data) =>
      json.blocks ? { ...json, blocks: json.blocks.map(reset) } : { ...json, block: reset(json.block) },
  })
  expect((await post(gateway.url, { query })).body.data.chain.blockByHash).toBeNull()
})

test('the vm and prefix of a chain are probed again at its new indexer', async () => {
  await using network = await startNetwork('before')
  const [move, evm] = [urlOf(network, 'harbor-1'), urlOf(network, 'galley-1')]
  await using gateway = await createGateway({ chains: [{ chainId: 'moving-1', url: move }] })
  const ask = async (query: string) => (await post(gateway.url, { query: `{ chain { ${query} } }` })).body.data.chain
  network.faults.set('harbor-1', '/indexer/block/v1/blocks', {
    kind: 'change',
    change: (json: Data) => ({
      ...json,
      blocks: json.blocks.map((block: Data) => ({
        ...block,
        proposer: { ...block.proposer, operator_address: 'movervaloper1abc' },
      })),
    }),
  })
  expect(await ask('vm bech32Prefix')).toEqual({ vm: null, bech32Prefix: 'mover' })
  gateway.updateChains({ chains: [{ chainId: 'moving-1', url: evm }] })
  expect(await ask('vm bech32Prefix')).toEqual({ vm: 'EVM', bech32Prefix: 'init' })
  gateway.updateChains({ chains: [{ chainId: 'moving-1', url: move }] })
  expect(await ask('vm')).toEqual({ vm: null })
})

test('an answer of an indexer replaced during the request is not cached', async () => {
  await using after = await startNetwork('after')
  const block = await blockOf(urlOf(after), 7)
  let answer = () => {}
  await using before = await startScriptedUpstream({
    held(socket) {
      const body = JSON.stringify({ block: { ...block, hash: 'AB'.repeat(32) } })
      answer = () =>
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        )
    },
  })
  await using gateway = await createGateway({ chains: [{ chainId, url: before.url('held') }] })
  const ask = () => post(gateway.url, { query: '{ chain { block(height: 7) { hash } } }' })
  const hashOf = ({ body }: Data) => body.data.chain.block.hash
  const underWay = ask()
  await before.arrived('held')
  gateway.updateChains({ chains: [{ chainId, url: urlOf(after) }] })
  answer()
  expect(hashOf(await underWay)).toBe('AB'.repeat(32))
  expect(hashOf(await ask())).toBe(block.hash)
})
