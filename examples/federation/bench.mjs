// What a request costs by way of Hive Gateway, beside the same request to Portolan itself: node bench.mjs
import { startGateway } from '../../test/clients/gateway.mjs'
import { start } from './start.mjs'

const rounds = 5
const count = 300
const query = '{ chain(chainId: "galley-1") { block(height: 1041) { hash timestamp } } }'

const portolan = await startGateway('--federation', 'true')
const joined = await start(portolan, 20_000 + (process.pid % 20_000))

/** Milliseconds of one request, of those that follow each other. */
async function measure(url) {
  const started = performance.now()
  for (let i = 0; i < count; i += 1) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { errors } = await response.json()
    if (errors) throw new Error(errors[0].message)
  }
  return (performance.now() - started) / count
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const alone = []
const through = []
await measure(portolan)
await measure(joined.url)
for (let round = 0; round < rounds; round += 1) {
  alone.push(await measure(portolan))
  through.push(await measure(joined.url))
}
process.stdout.write(
  `alone ${median(alone).toFixed(2)} ms, through Hive Gateway ${median(through).toFixed(2)} ms: ` +
    `${(median(through) / median(alone)).toFixed(1)} times\n`,
)
joined.stop()
process.exit()
