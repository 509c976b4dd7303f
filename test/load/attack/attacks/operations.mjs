// Operations that are made to cost much: in upstream requests, in memory, or before anything runs.
import { deflateRawSync } from 'node:zlib'

/** So many aliased fields in one selection. */
const repeat = (count, fieldOf) => Array.from({ length: count }, (_, i) => fieldOf(i)).join(' ')
const hex = (number, digits) => number.toString(16).padStart(digits, '0')
const slow = (ms) => ['harbor-1', 'galley-1', 'lantern-1'].map((chain) => [chain, '/', { kind: 'latency', ms }])

/** 150 blocks that no upstream request can share; another 150 for each number. */
const spacedBlocks = (number) => ({
  query: `{ chain(chainId: "galley-1") { ${repeat(150, (i) => `a${i}: block(height: "${1_000 + (number * 150 + i) * 211}") { hash }`)} } }`,
})

const filteredLists = (number, accounts) => ({
  query: `{ chain(chainId: "galley-1") { ${repeat(
    accounts,
    (i) =>
      `a${i}: account(address: "0x${hex(number * accounts + i + 1, 40)}") { x: transactions(filter: { messageTypes: ["z.z"] }, first: 1) { nodes { hash } } y: transactions(first: 1, order: ASC, filter: { messageTypes: ["z"] }) { nodes { hash } } }`,
  )} } }`,
})

const busyFilter = (lists) => ({
  query: `{ chains { chainId ${repeat(lists, (i) => `a${i}: transactions(first: 1, filter: { messageTypes: ["z.z${i}"] }) { nodes { hash } }`)} } }`,
})

/** A token that unpacks to 3.9 MB, without a signature that the gateway made. */
const forgedToken = Buffer.concat([
  Buffer.alloc(16, 7),
  deflateRawSync(Buffer.from(`{"terms":{}}\n[${'[],'.repeat(1_300_000)}[]]`)),
]).toString('base64url')

const transferMessages = (route) => ({
  query: `query ($route: String!, $addresses: [Address!]!) { ${repeat(80, (i) => `a${i}: transferMessages(input: { routeToken: $route, addresses: $addresses, timeoutSeconds: ${i} }) { minAmountOut }`)} }`,
  variables: {
    route,
    addresses: ['osmo1wllqcgh04444mr53tegtrkdlc970awqhtqwp4p', 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'],
  },
})

const quote = {
  query:
    '{ route(input: { amountIn: "25000000", source: { chainId: "osmosis-1", denom: "uosmo" }, destination: { chainId: "harbor-1", denom: "uinit" } }) { routeToken } }',
}

const forgedCursor = (position) => Buffer.concat([Buffer.alloc(16, 7), Buffer.from(position)]).toString('base64url')
const positions = ['s1000000000', 'e1000000', 'k900000,1000', 'f1000000,e30', 'k1,-1000']
const forgedCursors = {
  query: `{ chain(chainId: "galley-1") { ${repeat(60, (i) => `a${i}: transactions(first: 1, after: "${forgedCursor(positions[i % positions.length])}") { nodes { hash } }`)} } }`,
}

const introspection = {
  query: `{ ${repeat(60, (i) => `a${i}: __schema { types { name description fields { name description } } }`)} }`,
}
const fullPages = {
  query:
    '{ chain(chainId: "galley-1") { blocks(first: 100) { nodes { transactions(first: 10) { nodes { hash events { type attributes { key value } } } } } } } }',
}

const codesOf = (answers) => [...new Set(answers.flatMap(({ codes }) => codes))].join(' ') || 'ok'

export const operationAttacks = [
  {
    name: '7.1 clients that leave mid-way',
    faults: slow(20),
    async run({ times, send, sendAll }) {
      for (let round = 0; round < times(4); round += 1) {
        const leaving = AbortSignal.timeout(250)
        await sendAll(4, (i) => spacedBlocks(round * 4 + i), { signal: leaving })
      }
      const answers = []
      for (let i = 0; i < 3; i += 1) answers.push(await send(spacedBlocks(900 + i)))
      const kept = answers.filter(({ status, codes }) => status === 200 && codes.length === 0)
      return {
        note: `${kept.length} of 3 operations afterwards whole`,
        failures: kept.length < 3 ? [`afterwards: ${codesOf(answers)}`] : [],
      }
    },
  },
  {
    name: '7.2 filters that never match',
    servesPages: true,
    // Whole also in the short form: what a tenth of it does, no bound would show.
    async run({ sendAll }) {
      const answers = await sendAll(8, (i) => (i % 2 ? busyFilter(20) : filteredLists(i, 30)))
      return { note: codesOf(answers) }
    },
  },
  {
    name: '7.3 forged route tokens',
    async run({ times, sendAll }) {
      const answers = await sendAll(times(8), () => transferMessages(forgedToken))
      return { note: codesOf(answers) }
    },
  },
  {
    name: '7.3 one token 80 times an operation',
    async run({ times, send, sendAll }) {
      const { text } = await send(quote)
      const { routeToken } = JSON.parse(text).data.route
      const answers = await sendAll(times(8), () => transferMessages(routeToken))
      return { note: codesOf(answers) }
    },
  },
  {
    name: '7.4 questions that one upstream path answers slowly',
    faults: [['harbor-1', '/indexer/tx/v1/txs/by_account', { kind: 'latency', ms: 6_000 }]],
    async run({ times, sendAll }) {
      const body = (number) => ({
        query: `{ chain(chainId: "harbor-1") { ${repeat(12, (i) => `a${i}: account(address: "0x${hex(number * 12 + i + 1, 40)}") { transactions(first: 1) { nodes { hash } } }`)} } }`,
      })
      return { note: codesOf(await sendAll(times(12), body)) }
    },
  },
  {
    name: '7.7 one client, eight operations at a time',
    faults: slow(50),
    async run({ times, send }) {
      let count = 0
      const lane = async () => {
        const answers = []
        for (let i = 0; i < times(10); i += 1) {
          count += 1
          answers.push(await send(spacedBlocks(count)))
        }
        return answers
      }
      const answers = await Promise.all(Array.from({ length: 8 }, lane))
      return { note: codesOf(answers.flat()) }
    },
  },
  {
    name: '7.9 forged cursors',
    async run({ times, sendAll }) {
      const answers = await sendAll(times(10), () => forgedCursors)
      const isRefused = answers.every(({ codes }) => codes.every((code) => /BAD_USER|RATE/.test(code)))
      return { note: codesOf(answers), failures: isRefused ? [] : ['a forged cursor was taken'] }
    },
  },
  {
    name: '7.10 introspection 60 times an operation',
    async run({ times, sendAll }) {
      const answers = await sendAll(times(10), () => introspection)
      const bytes = Math.max(...answers.map((answer) => answer.bytes))
      return {
        note: codesOf(answers),
        failures: bytes > 2_000_000 ? [`an answer of ${bytes} bytes`] : [],
      }
    },
  },
  {
    name: 'largest pages, 40 at once',
    async run({ times, sendAll }) {
      return { note: codesOf(await sendAll(times(40), () => fullPages)) }
    },
  },
]
