import { createCachedReads } from '../../engine/upstream/cachedReads.ts'
import { post } from '../../engine/upstream/request.ts'
import { statusCall } from '../../schema/movement/reported/readStatus.ts'
import { transferRef } from '../../schema/movement/reported/transferRef.ts'
import { createCatalog } from '../../schema/router/catalog.ts'
import { readRoute } from '../../schema/router/route/readRoute.ts'
import { failure, reasonOf, type ServiceExamination } from './probe.ts'

/** An asset of a chain, as the router names both. */
interface Place {
  readonly chainId: string
  readonly denom: string
}

/** Asks a router what the gateway will ask of it. Nothing is tracked or sent. */
export async function examineRouter(of: ServiceExamination): Promise<void> {
  const chainIds = await checkChains(of)
  if (!chainIds) return
  const places = await checkAssets(of, chainIds)
  await checkStatus(of, chainIds[0] ?? 'none')
  const [from, second] = places
  const to = places.find(({ chainId }) => chainId !== from?.chainId) ?? second
  if (from && to) await checkRoute(of, from, to)
}

/** Reads through the catalog of the gateway. */
async function read<T>(load: () => Promise<T>): Promise<{ value: T } | { reason: string }> {
  try {
    return { value: await load() }
  } catch (error) {
    const outcome = failure(error)
    return { reason: outcome.kind === 'failed' ? outcome.reason : 'it failed' }
  }
}

async function checkChains(of: ServiceExamination): Promise<readonly string[] | undefined> {
  const { upstream: router, findings, cache, chainIds } = of
  const chains = await read(() => createCatalog(router, createCachedReads(cache)).chains())
  if ('reason' in chains) {
    findings.fails('reach', `The chains of the router cannot be read: ${chains.reason}.`)
    return undefined
  }
  const known = chains.value.all.map(({ chain_id: chainId }) => chainId)
  if (known.length === 0) {
    findings.fails('reach', 'The router lists no chain. It may be another service.')
    return undefined
  }
  findings.works('reach', `It responds, and lists ${known.length} ${known.length === 1 ? 'chain' : 'chains'}.`)
  for (const chainId of chainIds.filter((chainId) => !known.includes(chainId))) {
    const text = `The router does not know ${chainId}: it has no routes from or to it.`
    findings.limited('chain', text)
  }
  const served = chainIds.filter((chainId) => known.includes(chainId))
  return [...new Set([...served, ...known])]
}

async function checkAssets(
  { upstream: router, findings, cache }: ServiceExamination,
  chainIds: readonly string[],
): Promise<readonly Place[]> {
  const places: Place[] = []
  for (const chainId of chainIds.slice(0, 3)) {
    const assets = await read(() => createCatalog(router, createCachedReads(cache)).assets(chainId))
    if ('reason' in assets) {
      findings.fails('assets', `The assets of ${chainId} cannot be read: ${assets.reason}.`)
      continue
    }
    places.push(...assets.value.all.slice(0, 2).map(({ denom }) => ({ chainId, denom })))
  }
  if (places.length > 0) {
    const names = [...new Set(places.map(({ chainId }) => chainId))].join(', ')
    findings.works('assets', `It lists the assets of ${names}.`)
  } else findings.fails('assets', 'It lists no asset for the first of its chains.')
  return places
}

async function checkStatus({ probe, findings }: ServiceExamination, chainId: string) {
  const unknown = await probe.ask(statusCall(transferRef(chainId, '0'.repeat(64))))
  if (unknown.kind === 'failed' && unknown.status !== 400) {
    findings.fails('status', `The status of a transfer cannot be read: ${unknown.reason}.`)
  } else if (unknown.kind === 'value') {
    const text = 'The router has a status for a transaction that does not exist.'
    findings.limited('status', text)
  } else findings.works('status', 'A transaction that it does not know has no status, as expected.')
}

/** Routers say that they have no route with these statuses. Others refuse the request itself, such as 403. */
const noRouteStatuses: readonly (number | undefined)[] = [400, 404, 501]

async function checkRoute({ probe, findings, signer }: ServiceExamination, from: Place, to: Place) {
  const body = JSON.stringify({
    amount_in: '1000000',
    source_asset_chain_id: from.chainId,
    source_asset_denom: from.denom,
    dest_asset_chain_id: to.chainId,
    dest_asset_denom: to.denom,
  })
  const request = post('/v2/fungible/route', body, (response, raw) => readRoute(signer, body, response, raw))
  const route = await probe.ask(request)
  const places = `from ${from.chainId} to ${to.chainId}`
  if (route.kind === 'value') findings.works('route', `It found a route ${places}.`)
  else if (route.kind === 'failed' && noRouteStatuses.includes(route.status)) {
    findings.works('route', `It responded that there is no route ${places} for this amount.`)
  } else findings.fails('route', `A route ${places} cannot be read: ${reasonOf(route)}.`)
}
