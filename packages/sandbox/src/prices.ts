import type { Handler, Reply } from './http.ts'
import { pick } from './random.ts'
import { tokensWithPrices } from './router/assets.ts'

const daySeconds = 86_400

/** Records come this long after the beginning of a day at most, in seconds. */
const latest = 600

/** How to create a service of prices. */
export interface PricesOptions {
  readonly seed: string
  /** The current time, in milliseconds since 1970. */
  readonly clock: () => number
}

const notFound: Reply = { status: 404, json: { message: 'Not Found' } }

/**
 * A service of past prices by CoinGecko id, in the form of DefiLlama's `/prices/historical`. A price is a function of the
 * id and the UTC day. What it has no record of is left out.
 */
export function createPrices({ seed, clock }: PricesOptions): Handler {
  const recordOf = (coin: string, day: number) => {
    const [, id = ''] = /^coingecko:(.+)$/.exec(coin) ?? []
    const token = tokensWithPrices.get(id)
    const timestamp = day * daySeconds + pick(latest, seed, 'price time', id, day)
    if (!token || timestamp * 1000 > clock()) return undefined
    // A coin moves by a fifth at most, and one that stands for a dollar by a hundredth.
    const part = token.usd === 1 ? 100 : 5
    const price = token.usd * (1 + (pick(2_000_001, seed, 'price', id, day) / 1_000_000 - 1) / part)
    return { symbol: token.symbol, price, timestamp, confidence: 0.99 }
  }
  return ({ method, path }) => {
    const [, seconds = '', coins = ''] = /^\/prices\/historical\/(\d{1,12})\/([^/]+)$/.exec(path) ?? []
    if (method !== 'GET' || seconds === '') return notFound
    const day = Math.floor(Number(seconds) / daySeconds)
    const records = coins.split(',').map((coin) => [coin, recordOf(coin, day)] as const)
    return { status: 200, json: { coins: Object.fromEntries(records.filter(([, record]) => record !== undefined)) } }
  }
}
