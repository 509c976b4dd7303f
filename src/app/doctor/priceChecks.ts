import { dayRequest, priceIn } from '../../schema/router/balance/dailyPrice.ts'
import { reasonOf, type ServiceExamination } from './probe.ts'

/** Coins that every service of prices knows, by their CoinGecko ids. */
const wellKnown = ['bitcoin', 'ethereum', 'usd-coin']

const dayMs = 24 * 60 * 60 * 1000

/** Asks a service of prices for those of yesterday. */
export async function examinePrices({ probe, findings, now }: ServiceExamination): Promise<void> {
  const day = Math.floor(now / dayMs) - 1
  const answer = await probe.ask(dayRequest(day, wellKnown))
  if (answer.kind !== 'value') {
    findings.fails('reach', `Past prices cannot be read: ${reasonOf(answer)}.`)
    return
  }
  const known = wellKnown.filter((id) => priceIn(answer.value, day, id) !== null)
  const date = new Date(day * dayMs).toISOString().slice(0, 10)
  if (known.length > 0) findings.works('prices', `It has prices of ${date}: ${known.join(', ')}.`)
  else findings.limited('prices', `It responds, but has no price of ${wellKnown.join(', ')} on ${date}.`)
}
