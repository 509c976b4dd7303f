import { createGateway } from '../../../src/gateway.ts'
import type { Answer, Data } from '../../support/world.ts'
import { type IndexerChoices, plainChoices, startTwinIndexer } from './indexer.ts'
import { chainId } from './records.ts'

/** A gateway over an indexer that knows only the contract. */
export async function startTwinWorld(choices: Partial<IndexerChoices> = {}, routerUrl?: string) {
  const indexer = await startTwinIndexer({ ...plainChoices, ...choices })
  const gateway = await createGateway(
    {
      chains: [{ chainId, url: indexer.url, vm: 'evm', bech32Prefix: 'twin' }],
      ...(routerUrl !== undefined && { router: { url: routerUrl } }),
    },
    { upstream: { backoff: () => 0 }, server: { grace: 0, drain: 0 } },
  )
  const ask = async (query: string, variables?: Record<string, unknown>): Promise<Answer> => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    return (await response.json()) as Answer
  }
  return {
    indexer,
    ask,
    url: gateway.url,
    /** The data of an operation that has to succeed. */
    async data(query: string, variables?: Record<string, unknown>): Promise<Data> {
      const { data, errors } = await ask(query, variables)
      if (errors) throw new Error(JSON.stringify(errors))
      return data
    },
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await indexer[Symbol.asyncDispose]()
    },
  }
}

export type TwinWorld = Awaited<ReturnType<typeof startTwinWorld>>
