// What reading a body costs: parsing its JSON, with and without the digits of long numbers, and then decoding it by
// zod and by the compiled reader.
// The kinds of bodies take turns, as in a gateway, where no reader has the process to itself.

import { decode } from '../dist/engine/wire/compiledSchema.js'
import { parseJson } from '../dist/engine/wire/exactJson.js'
import { createGateway } from '../dist/gateway.js'
import { blocksPage } from '../dist/schema/indexer/block/wire.js'
import { transactionsPage } from '../dist/schema/indexer/transaction/wire.js'
import { statusCall } from '../dist/schema/movement/transfer/readStatus.js'
import { startSandbox } from '../packages/sandbox/dist/sandbox.js'
import { printTable, quantile, ratio } from './report.mjs'

const rounds = 400
const records = 20

const sandbox = await startSandbox()
const gateway = await createGateway({
  chains: sandbox.indexers,
  router: { url: sandbox.routerUrl },
  graphiql: false,
})
const [{ url, chainId }] = sandbox.indexers
const textOf = async (address, options) => (await fetch(address, options)).text()
const newest = `pagination.limit=${records}&pagination.reverse=true`

const txHash = `${'AB'.repeat(31)}02`
const statusRequest = statusCall(chainId, txHash)
await textOf(`${sandbox.routerUrl}/v2/tx/track`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ tx_hash: txHash, chain_id: chainId }),
})

/** The schema of a request, which is the first one that its reader looks up. */
function schemaOf({ read }, body) {
  const { get } = WeakMap.prototype
  let schema
  WeakMap.prototype.get = function (key) {
    schema ??= key
    return get.call(this, key)
  }
  try {
    read(body)
  } finally {
    WeakMap.prototype.get = get
  }
  return schema
}

const blocks = await textOf(`${url}/indexer/block/v1/blocks?${newest}`)
const transactions = await textOf(`${url}/indexer/tx/v1/txs?${newest}`)
const status = await textOf(`${sandbox.routerUrl}${statusRequest.target}`)
/** The same bodies with a number of 64 bits in one message of each transaction, as Wasm contracts take it. */
const withLongNumbers = transactions.replaceAll('"messages":[{', '"messages":[{"order_id":18446744073709551615,')
const kinds = [
  { name: 'block', text: blocks, count: records, schema: blocksPage },
  { name: 'transaction', text: transactions, count: records, schema: transactionsPage },
  {
    name: 'transaction with a long number',
    text: withLongNumbers,
    count: records,
    schema: transactionsPage,
  },
  {
    name: 'status of a transfer',
    text: status,
    count: 1,
    schema: schemaOf(statusRequest, JSON.parse(status)),
  },
]

const ways = [
  ['JSON.parse', ({ text }) => JSON.parse(text)],
  ['exact', ({ text }) => parseJson(text)],
  // What access to the source text of a number takes at least.
  ['with a reviver', ({ text }) => JSON.parse(text, (_key, value) => value)],
  ['zod', ({ schema, body }) => schema.parse(body)],
  ['compiled', ({ schema, body }) => decode(schema, body)],
]
const figures = kinds.map((kind) => ({
  ...kind,
  body: parseJson(kind.text),
  times: new Map(ways.map(([way]) => [way, []])),
}))

for (let round = 0; round < rounds; round += 1) {
  for (const [way, run] of ways) {
    for (const figure of figures) {
      const repeats = 40 / figure.count
      const start = performance.now()
      for (let i = 0; i < repeats; i += 1) run(figure)
      const microseconds = (performance.now() - start) * 1000
      // The first rounds warm up.
      if (round >= rounds / 4) figure.times.get(way).push(microseconds / repeats / figure.count)
    }
  }
}
await gateway.close()
await sandbox.close()

printTable(
  'µs for each record, median',
  ['', 'bytes', ...ways.map(([way]) => way), 'zod / compiled'],
  figures.map(({ name, text, count, times }) => {
    const medians = ways.map(([way]) => quantile(times.get(way), 0.5))
    return [
      name,
      String(Math.round(text.length / count)),
      ...medians.map((median) => median.toFixed(2)),
      ratio(medians[3], medians[4]),
    ]
  }),
)
