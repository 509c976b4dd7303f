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

/** Ends of requests that a client can cause by what it asks for. */
const causedFaults = {
  'the upstream fails at': { kind: 'status', status: 500 },
  'a proxy of the upstream gives up': { kind: 'status', status: 504 },
  'the upstream never answers': { kind: 'hang' },
}
/** A block that the client alone asks for, on the route of the blocks of the honest client. */
const blockOf = (i) => ({
  query: `{ chain(chainId: "harbor-1") { block(height: "${7_777_700 + i}") { hash } } }`,
})

/** Bytes of a body that is below the bound of responses. */
const bodyBytes = 15_500_000
const filled = (part) => part.repeat(bodyBytes / part.length)
/** A record with so many wrong parts that to list them takes long. */
const wrongRecord = JSON.stringify({ events: Array.from({ length: 900 }, () => [1]) })

/** What takes long to parse, to read, or to show in an error. */
const longBodies = {
  lists: [200, `{"txs":[${filled('[],')}0]}`],
  objects: [200, `{"txs":[${filled('{},')}0]}`],
  levels: [200, '['.repeat(bodyBytes / 2) + ']'.repeat(bodyBytes / 2)],
  'numbers beside a long one': [200, `{"txs":[${filled('1,')}12345678901234567890]}`],
  'lists beside a long number': [200, `{"txs":[${filled('[],')}12345678901234567890]}`],
  'texts beside a long number': [200, `{"txs":[${filled('"a",')}12345678901234567890]}`],
  'records that cannot be read': [
    200,
    `{"txs":[${`${wrongRecord},`.repeat(900)}${wrongRecord}],"pagination":{"next_key":null,"total":"0"}}`,
  ],
  'details of an error': [400, `{"details":[${filled('{},')}0]}`],
  'levels of an error': [400, '['.repeat(bodyBytes / 2)],
  'control characters of an error': [400, filled('\u0001a')],
}

/** A page of 100 transactions of 100 kB each. */
const longPage = JSON.stringify({
  txs: Array.from({ length: 100 }, (_, i) => ({
    ...{ txhash: String(i).padStart(64, '0'), height: '1000', code: 0, codespace: '', data: '', raw_log: '', info: '' },
    ...{ gas_wanted: '1', gas_used: '1', timestamp: '2026-01-01T00:00:00Z' },
    tx: { body: { messages: [], memo: '' }, auth_info: { signer_infos: [], fee: { amount: [] } }, signatures: [] },
    events: Array.from({ length: 400 }, (_, row) => ({
      type: 'transfer',
      attributes: [
        { key: 'recipient', value: `init1${String(row).padStart(38, 'q')}`, index: true },
        { key: 'amount', value: `${row}uinit`, index: true },
        { key: 'memo', value: 'x'.repeat(80), index: true },
      ],
    })),
  })),
  pagination: { next_key: null, total: '100' },
})

export const upstreamAttacks = [
  {
    name: 'pages of 10 MB',
    faults: [['galley-1', '/indexer/tx/v1/txs', { kind: 'garbage', body: longPage }]],
    async run({ send, times }) {
      const page = '{ chain(chainId: "galley-1") { transactions(first: 100) { nodes { hash } } } }'
      const statuses = new Map()
      const ask = async () => {
        for (let i = 0; i < times(10); i += 1) {
          // A name of its own, so that no answer is served again.
          const { status } = await send({ query: `query Q${Math.random().toString(36).slice(2)} ${page}` })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }
      await Promise.all([ask(), ask(), ask()])
      const isServed = statuses.has(200)
      return {
        note: [...statuses].map(([status, count]) => `${count} x ${status}`).join(' '),
        failures: isServed ? [] : ['none was served'],
      }
    },
  },
  ...Object.entries(causedFaults).map(([what, fault]) => ({
    name: `6b blocks that ${what}`,
    faults: [['harbor-1', '/indexer/block/v1/blocks/77777', fault]],
    async run({ sendAll }) {
      const answers = await sendAll(100, blockOf)
      const codes = new Set(answers.flatMap(({ codes }) => codes))
      const refused = answers.some(({ text }) => text.includes('circuit open'))
      return { note: [...codes].join(' '), failures: refused ? ['the circuit is open'] : [] }
    },
  })),
  {
    name: 'bodies that take long to read',
    async run({ send, upstreams }) {
      const seen = new Set()
      const taken = []
      for (const [name, [status, body]] of Object.entries(longBodies)) {
        const fault = { kind: 'status', status, body, contentType: 'application/json' }
        await upstreams.ask('setFaults', [['galley-1', '/indexer/tx/v1/txs', fault]])
        const { codes } = await send({
          query: '{ chain(chainId: "galley-1") { transactions(first: 100) { nodes { hash } } } }',
        })
        for (const code of codes) seen.add(code)
        if (codes.length === 0) taken.push(`${name}: taken`)
      }
      return { note: [...seen].join(' '), failures: taken }
    },
  },
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
