import { expect, test } from 'vitest'
import { parseRegistry } from '../../src/app/config/registry.ts'
import { readMetadata } from '../../src/engine/nftMetadata/document.ts'
import { chainIds, type Data, startWorld, type World } from '../support/world.ts'

/** Fields of upstreams that strangers write, and that are shown as names or as descriptions. */
const written = /^(name|origin_name|collection_name|moniker|symbol|recommended_symbol|(chain|pretty)_name|description)$/

/** The same value with a text in place of all that strangers write. */
function renamed(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, written.test(key) ? text : renamed(item, text)]),
  )
}

async function startRenamed(text: string): Promise<World> {
  const world = await startWorld()
  for (const service of [...Object.values(chainIds), 'router']) {
    const change = (json: unknown) => renamed(json, text)
    world.sandbox.faults.set(service, '/', { kind: 'change', change })
  }
  return world
}

const document = `{
  assets(chainId: "${chainIds.MOVE}", first: 1) { nodes { symbol recommendedSymbol name denom } }
  listed: chain(chainId: "osmosis-1") { chainId name prettyName }
  evm: chain(chainId: "1") { chainId name prettyName evmFeeAsset { name symbol } }
  bridges { rawBridge name }
  chain(chainId: "${chainIds.EVM}") {
    blocks(first: 1) { nodes { proposer { moniker operatorAddress } } }
    nftCollections(first: 1) { nodes { name originName nfts(first: 1) { nodes { collection { name } } } } }
  }
}`

const wide = 'W'.repeat(5_000)
const astronauts = '👩‍🚀'.repeat(60)
/** What is left of a text as a name, and as a symbol if it is cut earlier. */
const texts: Record<string, readonly [text: string, name: string | null, symbol?: string]> = {
  'marks of direction': ['\u202eDSU\u202c', 'DSU'],
  'characters without a shape': ['\u061c\u200bUS\u00adD\ufeff\u2060C\u3164 ', 'USDC'],
  'control characters': ['\u0007a\u001b[31m\n\tb\u0085', 'a[31m b'],
  'nothing that can be seen': ['\u200b\u2066 \u0000\u3164\u{e0041}', null],
  markup: ['<script>', '<script>'],
  'emoji of several parts': ['🏴‍☠️ 👩‍🚀 1️⃣', '🏴‍☠️ 👩‍🚀 1️⃣'],
  'joiners of letters': ['می‌خواهم', 'می‌خواهم'],
  'half a pair': ['a\ud83d', 'a\ufffd'],
  '5,000 characters': [wide, `${'W'.repeat(127)}…`, `${'W'.repeat(31)}…`],
  '60 emoji': [astronauts, `${'👩‍🚀'.repeat(25)}…`, `${'👩‍🚀'.repeat(6)}…`],
}

test.each(Object.entries(texts))(
  'names and symbols from upstreams with %s are sanitized',
  async (_, [text, name, symbol = name]) => {
    await using world = await startRenamed(text)
    const { assets, listed, evm, bridges, chain } = await world.data(document)
    expect(assets.nodes).toEqual([{ symbol, recommendedSymbol: symbol, name, denom: 'uinit' }])
    expect(listed).toMatchObject({ name: name ?? 'osmosis-1', prettyName: name ?? 'osmosis-1' })
    expect(evm).toMatchObject({ name: name ?? '1', evmFeeAsset: { name, symbol } })
    expect(bridges.length).toBeGreaterThan(0)
    for (const each of bridges) expect(each.name).toBe(name ?? each.rawBridge)
    expect(chain.blocks.nodes).toEqual([
      { proposer: { moniker: name, operatorAddress: expect.stringMatching(/valoper1/) } },
    ])
    const nfts = { nodes: [{ collection: { name: name ?? '' } }] }
    expect(chain.nftCollections.nodes).toEqual([{ name: name ?? '', originName: name, nfts }])
  },
)

test.each(Object.entries(texts))('names from the registry with %s are sanitized', (_, [text, name]) => {
  const entry = {
    chain_id: 'a-1',
    chain_name: text,
    pretty_name: text,
    explorers: [{ kind: text }],
  }
  expect(parseRegistry(JSON.stringify([entry])).chains).toMatchObject([{ chainId: 'a-1', explorers: [{ name }] }])
  const [{ name: short, prettyName } = {}]: Data[] = parseRegistry(JSON.stringify([entry])).chains as Data[]
  expect([short, prettyName]).toEqual([name ?? undefined, name ?? undefined])
})

test.each(Object.entries(texts))('NFT metadata with %s is sanitized', (_, [text, name]) => {
  const attributes = [{ trait_type: text, display_type: text, value: text }]
  const read = readMetadata(Buffer.from(JSON.stringify({ name: text, attributes })))
  const isCut = name?.endsWith('…')
  for (const shown of [read.name, ...read.attributes.flatMap(Object.values)]) {
    // Names of NFTs may be twice as long.
    if (isCut) expect(shown).toMatch(/^(?!.{257}).{200,}…$/s)
    else expect(shown).toBe(name)
  }
  expect(read.attributes).toHaveLength(name === null ? 0 : 1)
})

test('the description of an asset keeps line breaks, and has at most 10,000 characters', async () => {
  await using world = await startRenamed(`\u202ea\r\n\tb\u0000\n<b>${'🐳'.repeat(9_000)}`)
  const { assets } = await world.data(`{ assets(chainId: "${chainIds.MOVE}", first: 1) { nodes { description } } }`)
  expect(assets.nodes[0].description).toMatch(/^a\nb\n<b>🐳+…$/u)
  expect(assets.nodes[0].description).toHaveLength(10_000)
})

test('an action summary has the sanitized name of a validator', async () => {
  await using world = await startRenamed('\u202eSaf\u200be\u202c')
  const actions = `{ chain { blocks(first: 40) { nodes { height } }
    transactions(first: 60) { nodes { actions { validatorAddress summary } } } } }`
  await world.data(actions)
  const { chain } = await world.data(actions)
  const summaries = chain.transactions.nodes.flatMap((node: Data) =>
    node.actions.flatMap(({ validatorAddress, summary }: Data) => (validatorAddress ? [summary] : [])),
  )
  expect(summaries.filter((summary: string) => summary.endsWith(' Safe'))).not.toEqual([])
  expect(summaries.join()).not.toMatch(/\u202e|“/)
})

test('an asset is found by its sanitized symbol', async () => {
  await using world = await startRenamed('\u202eDSU\u202c')
  const { assets } = await world.data('{ assets(search: "dsu", first: 1) { nodes { symbol } } }')
  expect(assets.nodes).toEqual([{ symbol: 'DSU' }])
})
