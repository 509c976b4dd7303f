// Pages of a list of transactions from memory: an upstream that is faster than any attack.

const pageSize = 100

/** Reads one page of each chain. Gives the page for a request to one of those lists, else undefined. */
export async function createPages(indexers) {
  const records = new Map()
  for (const { chainId, url } of indexers) {
    const response = await fetch(`${url}/indexer/tx/v1/txs?pagination.limit=${pageSize}`)
    const { txs } = await response.json()
    records.set(chainId, JSON.stringify(txs))
  }
  return (chainId, target) => {
    const { pathname, searchParams } = new URL(target, 'http://upstream')
    if (!pathname.startsWith('/indexer/tx/v1/txs')) return undefined
    if (searchParams.get('pagination.limit') !== String(pageSize)) return undefined
    const isReverse = searchParams.get('pagination.reverse') === 'true'
    const key = searchParams.get('pagination.key')
    const from = key ? JSON.parse(Buffer.from(key, 'base64')).sequence : isReverse ? 1e9 : 0
    const sequence = from + (isReverse ? -pageSize : pageSize)
    const next = Buffer.from(JSON.stringify({ sequence })).toString('base64')
    return `{"txs":${records.get(chainId)},"pagination":{"next_key":"${next}","total":"0"}}`
  }
}
