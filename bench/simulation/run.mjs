// npm run simulate: a thousand gateways with churn beside one gateway, on a virtual clock. Prints JSON.
import { parseArgs } from 'node:util'
import { saveFigures } from '../results.mjs'
import { simulate } from './simulate.mjs'

const { values } = parseArgs({
  options: {
    gateways: { type: 'string', default: '1000' },
    transfers: { type: 'string', default: '300' },
    watchers: { type: 'string', default: '4' },
    chains: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '2' },
    deaths: { type: 'string', default: '100' },
    restarts: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    // Keep the figures in bench/results.
    save: { type: 'boolean', default: false },
  },
})
const number = (name) => Number(values[name])
const options = {
  ...{ transfers: number('transfers'), watchers: number('watchers'), chains: number('chains') },
  ...{ minutes: number('minutes'), seed: number('seed') },
}
const one = await simulate({ ...options, gateways: 1 })
const gateways = number('gateways')
const calm = await simulate({ ...options, gateways })
const churn = { deathsPerMinute: number('deaths'), restartsPerMinute: number('restarts') }
const many = await simulate({ ...options, ...churn, gateways })
const figures = { one, calm, many }
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
if (values.save) saveFigures('simulation', figures)
process.exit(0)
