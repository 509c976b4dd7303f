// Documents and variables that are made to cost much before anything runs.
const repeat = (count, of) => Array.from({ length: count }, (_, i) => of(i)).join(' ')
const long = (text, bytes) => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes)
/** Levels that begin with the same texts, of which none needs a request of its own, around a field. */
const levels = (count, opening, inner) =>
  `{ chain { ${opening.repeat(count)} ${inner} ${'}'.repeat(count * (opening.split('{').length - 1))} } }`
const nested = (depth) => `${'{ chain '.repeat(depth)}{ name }${' }'.repeat(depth)}`
const chainOf = (selection) => `{ chain(chainId: "galley-1") { ${selection} } }`

/** Fragments that each spread the next so many times. */
const fragments = (depth, spreads) =>
  `{ chain { ...f0 } } ${repeat(depth, (i) => `fragment f${i} on Chain { ${i + 1 < depth ? repeat(spreads, (_k) => `isDefault ...f${i + 1}`) : 'name'} }`)}`

/** Fragments that each spread the next one inside a block of the newest block's chain. */
const chained = (count) =>
  `{ chain { latestBlock { ...f0 } } } ${repeat(count, (i) => `fragment f${i} on Block { chain { latestBlock { ${i + 1 < count ? `...f${i + 1}` : 'hash'} } } }`)}`

/** Variables or fields of an input, so many. */
const many = (count, of) => Object.fromEntries(Array.from({ length: count }, (_, i) => of(i)))

const documents = {
  '20,000 levels deep': { query: nested(20_000) },
  '480 overlapping fields': { query: `{ ${repeat(480, () => 'chain { name }')} }` },
  '120 fragments, each spread twice': {
    query: `{ chain { ${repeat(120, (i) => `...f${i} ...f${i}`)} } } ${repeat(120, (i) => `fragment f${i} on Chain { name }`)}`,
  },
  '2^90 selections': { query: fragments(90, 2) },
  '5^12 selections': { query: fragments(12, 5) },
  'a fragment that spreads itself': { query: '{ chain { ...a } } fragment a on Chain { ...a }' },
  '2^24 inline fragments': {
    query: chainOf(`${'... { ... { name } '.repeat(24)}${'}'.repeat(24)}`),
  },
  '200 directives': { query: `{ chain { name ${'@include(if: true) '.repeat(200)} } }` },
  '100 misspelt fields': { query: `{ ${repeat(100, (i) => `brideChain${i}`)} }` },
  'names of 250 KB': { query: `{ ${long('bridgeChains', 250_000)} }` },
  '450 unused variables': {
    query: `query (${repeat(450, (i) => `$a${i}: Int`)}) { chain { name } }`,
  },
  '60,000 ids': {
    query: 'query ($i: [ID!]!) { nodes(ids: $i) { id } }',
    variables: { i: Array(50_000).fill('a') },
  },
  '60,000 nulls': {
    query: 'query ($i: [ID!]!) { nodes(ids: $i) { id } }',
    variables: { i: Array(48_000).fill(null) },
  },
  'a hash of 250 KB': {
    query: 'query ($v: Hash!) { chain { transaction(hash: $v) { hash } } }',
    variables: { v: long('0', 250_000) },
  },
  'an address of 240 KB': {
    query: 'query ($v: Address!) { chain { account(address: $v) { address } } }',
    variables: { v: `init1${long('q', 240_000)}` },
  },
  'a height of 250 KB': {
    query: 'query ($v: UInt53!) { chain { block(height: $v) { hash } } }',
    variables: { v: long('9', 250_000) },
  },
  'a transfer hash of 250 KB': {
    query: 'query ($v: String!) { transfer(chainId: "solana", hash: $v) { state } }',
    variables: { v: long('z', 250_000) },
  },
  'a cursor of 250 KB': {
    query: 'query ($v: String) { chain { blocks(first: 1, after: $v) { nodes { hash } } } }',
    variables: { v: long('A', 250_000) },
  },
  // As deep as the tokens of a document allow.
  '660 levels of fields': { query: levels(328, 'latestBlock { chain { ', 'name') },
  '640 levels of inline fragments': { query: levels(640, '... { ', 'name') },
  '300 levels of pages': { query: levels(100, 'blocks(first: 1) { nodes { chain { ', 'name') },
  '125 fragments, each in the one before': { query: chained(125) },
  // Bodies of up to 256 KiB, with valid documents.
  '14,000 variables that nobody reads': {
    query: '{ chain { name } }',
    variables: many(14_000, (i) => [`v${i}`, 'aaaaaaa']),
  },
  'an input of 11,000 unknown fields': {
    query: 'query ($v: RouteInput!) { route(input: $v) { amountOut } }',
    variables: { v: many(11_000, (i) => [`amountIx${i}`, 'a']) },
  },
  '10,000 chains of an account': {
    query:
      'query ($v: [ChainId!]) { account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") { balances(chainIds: $v) { count } } }',
    variables: { v: Array.from({ length: 10_000 }, (_, i) => `chain-of-nobody-${i}`) },
  },
  'variables 100,000 levels deep': `{"query":"{ chain { name } }","variables":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
  'a body of 2 MB': `{"query":"${long('a', 2_000_000)}"}`,
  'no JSON': long('{', 200_000),
}

/** Each document a few times at once. No answer may be much longer than its question. */
const one = ([name, body]) => ({
  name: `document: ${name}`,
  isDocument: true,
  async run({ times, sendAll }) {
    const answers = await sendAll(times(20), () => body)
    const longest = Math.max(...answers.map(({ bytes }) => bytes))
    const codes = [...new Set(answers.flatMap(({ status, codes }) => [status, ...codes]))]
    return {
      note: codes.join(' '),
      failures: [
        ...(longest > 32_768 ? [`an answer of ${longest} bytes`] : []),
        ...(answers.some(({ status }) => status >= 500) ? ['status 500 or above'] : []),
      ],
    }
  },
})

/** Many documents that no cache has seen, of the longest form. */
const flood = {
  name: '10,000 distinct documents',
  async run({ times, sendAll }) {
    for (let batch = 0; batch < times(100); batch += 1) {
      await sendAll(100, (i) => ({
        query: `{ ${repeat(60, (k) => `a${batch}_${i}_${k}: __typename`)} }`,
      }))
    }
    return { note: `${times(100) * 100} sent` }
  },
}

export const documentAttacks = [...Object.entries(documents).map(one), flood]
