// Searches in the longest lists of a router, each of which costs no upstream request.

const chainCount = 200
const assetCount = 20_000

const chainId = (number) => `chain-${number % chainCount}`
const assetAt = (number) => ({
  denom: `ibc/${number.toString(16).padStart(64, '0').toUpperCase()}`,
  chain_id: chainId(number),
  origin_denom: `unit${number}`,
  origin_chain_id: chainId(number * 7),
  symbol: `SYM${number}`,
  recommended_symbol: `SYM${number}.ibc`,
  name: `Asset Number ${number}`,
  token_contract: `0x${number.toString(16).padStart(40, 'A')}`,
  decimals: 6,
})

const assets = {}
for (let number = 0; number < assetCount; number += 1) {
  const id = chainId(number)
  assets[id] ??= { assets: [] }
  assets[id].assets.push(assetAt(number))
}
const chains = Array.from({ length: chainCount }, (_, number) => ({
  chain_id: chainId(number),
  chain_name: `chain ${number}`,
  pretty_name: `Chain Number ${number}`,
}))
const faults = [
  ['router', '/v2/fungible/assets', { kind: 'answer', json: { chain_to_assets_map: assets } }],
  ['router', '/v2/info/chains', { kind: 'answer', json: { chains } }],
]

/** As many aliased fields as the limit of tokens allows, none of which equals another. */
const aliased = (count, fieldOf) => ({
  query: `{ ${Array.from({ length: count }, (_, i) => `a${i}: ${fieldOf(i)}`).join(' ')} }`,
})
const bySymbols = (round) => ({
  query: `query ($symbols: [String!]) { ${Array.from(
    { length: 80 },
    (_, i) => `a${i}: assets(search: "${round} ${i}", filter: { symbols: $symbols }) { totalCount }`,
  ).join(' ')} }`,
  variables: { symbols: Array.from({ length: 100 }, (_, i) => `absent${i}`) },
})

const documents = {
  'names that nothing has': (round) => aliased(135, (i) => `search(text: "zq${round}x${i}", first: 1) { hasMore }`),
  'names that everything has': (round) =>
    aliased(135, (i) => `search(text: "m number ${(round * 135 + i) % 20}", first: 1) { hasMore }`),
  'assets by part of a name': (round) =>
    aliased(135, (i) => `assets(search: "zq${round}x${i}", first: 1) { totalCount }`),
  'all assets but one': (round) =>
    aliased(135, (i) => `assets(search: "${(round + i) % 10}", first: 1) { totalCount }`),
  'assets by a hundred symbols': bySymbols,
}

export const searchAttacks = Object.entries(documents).map(([name, documentOf]) => ({
  name: `searches: ${name}`,
  faults,
  async run({ times, send }) {
    const answers = []
    for (let round = 0; round < times(10); round += 1) answers.push(await send(documentOf(round)))
    const codes = new Set(answers.flatMap((answer) => answer.codes))
    return { note: [...codes].join(' ') || 'ok' }
  },
}))
