// Upstreams that are hostile, or down.
const down = ['harbor-1', 'galley-1', 'lantern-1', 'router'].map((service) => [
  service,
  '/',
  { kind: 'status', status: 503 },
])
const blockPath = '/indexer/block/v1/blocks/777'
const hostile = (digits) => [
  [
    'galley-1',
    blockPath,
    {
      kind: 'garbage',
      body: `{"block":{"chain_id":"galley-1","height":"777","hash":"${'AB'.repeat(32)}","block_time":"1","timestamp":"2026-01-01T00:00:00Z","gas_used":"${'9'.repeat(digits)}","gas_wanted":${'9'.repeat(digits / 2)},"tx_count":"0","total_fee":[],"proposer":null}}`,
    },
  ],
]
const block = {
  query: '{ chain(chainId: "galley-1") { block(height: "777") { gasUsed gasWanted } } }',
}

export const upstreamAttacks = [
  {
    name: '6a an integer of millions of digits',
    faults: hostile(8_000_000),
    async run({ send, times }) {
      const answers = []
      for (let i = 0; i < times(3); i += 1) answers.push(await send(block))
      const longest = Math.max(...answers.map(({ bytes }) => bytes))
      return {
        note: answers[0].codes.join(' '),
        failures: longest > 32_768 ? [`an answer of ${longest} bytes`] : [],
      }
    },
  },
  {
    name: '7.11 GraphiQL while all upstreams are down',
    faults: down,
    victim: { query: '{ __typename }' },
    async run({ send, times }) {
      const page = { method: 'GET', headers: { accept: 'text/html', 'content-type': '' } }
      const answers = []
      for (let i = 0; i < times(40); i += 1) answers.push(await send('', page))
      const statuses = new Set(answers.map(({ status }) => status))
      return {
        note: [...statuses].join(' '),
        failures: statuses.size === 1 && statuses.has(200) ? [] : ['the page is not there'],
      }
    },
  },
]
