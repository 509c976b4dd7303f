import { pick } from '../random.ts'
import type { Holder } from '../world/holders.ts'
import { richListHeight } from './blocks.ts'
import { HttpError } from './httpError.ts'
import { listBody, type Route } from './httpRoute.ts'
import { offsetPage, type PageRequest } from './paging.ts'

/** The rich list of a denom. */
export const holderRoutes: readonly Route[] = [
  {
    path: '/indexer/richlist/v1/{denom}',
    summary: 'Holders of a denom by amount',
    isList: true,
    answer({ world, page }, text) {
      const request = page()
      const denom = text.replaceAll('%2F', '/').toLowerCase()
      const height = richListHeight(world)
      const holders = world.holders.rankingAt(denom, height)
      if (!holders && world.chain.vm === 'evm' && !denom.startsWith('0x')) {
        const url = `http://10.0.0.7:1317/minievm/evm/v1/contracts/by_denom?denom=${denom}`
        throw new HttpError(400, `exhausted all endpoints: GET ${url}: status 404`)
      }
      const ranked = height > 0 ? (holders ?? []) : []
      const rows = world.chain.quirks?.looseTies ? inLooseOrder(ranked, request) : ranked
      return listBody('holders', offsetPage(request, rows), request.countTotal ? rows.length : 0)
    },
  },
]

/** Equal amounts in an order that depends on the page, as a database without a second sort key has them. */
function inLooseOrder(holders: readonly Holder[], { offset, limit }: PageRequest) {
  const rank = ({ account }: Holder) => pick(1_000_000, 'tie', account, offset, limit)
  return holders.toSorted((a, b) => Number(BigInt(a.amount) - BigInt(b.amount)) || rank(a) - rank(b))
}
