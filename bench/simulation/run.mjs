// npm run simulate: a thousand gateways with churn beside one gateway, on a virtual clock. Prints JSON.
import { parseArgs } from 'node:util'
import { simulate } from './simulate.mjs'

const { values } = parseArgs({
  options: {
    gateways: { type: 'string', default: '1000' },
    transfers: { type: 'string', default: '500' },
    watchers: { type: 'string', default: '5' },
    chains: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '5' },
    deaths: { type: 'string', default: '100' },
    restarts: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})
const number = (name) => Number(values[name])
const options = {
  ...{ transfers: number('transfers'), watchers: number('watchers'), chains: number('chains') },
  ...{ minutes: number('minutes'), seed: number('seed') },
}
const one = await simulate({ ...options, gateways: 1 })
const fleet = await simulate({
  ...{ ...options, gateways: number('gateways') },
  ...{ deathsPerMinute: number('deaths'), restartsPerMinute: number('restarts') },
})
process.stdout.write(`${JSON.stringify({ one, fleet }, null, 2)}\n`)
process.exit(0)
