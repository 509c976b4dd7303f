import { openDeadline } from '../kit/clock/deadline.ts'
import type { OperationRequest } from './operation/operation.ts'
import type { Pipeline } from './operation/pipeline.ts'
import type { Services } from './services.ts'

// V8 compiles a function once it has run often. Until then a page takes several times as long, and the first people after
// a start would wait for that.

/** The lists that explorers and wallets show first, each with the page after a cursor. */
const documents = [
  `query WarmUpBlocks($chainId: ChainId!, $after: String) { chain(chainId: $chainId) { list: blocks(first: 20, after: $after) {
    edges { node { height hash timestamp transactionCount proposer { moniker operatorAddress } } }
    pageInfo { hasNextPage endCursor } } } }`,
  `query WarmUpTransactions($chainId: ChainId!, $after: String) { chain(chainId: $chainId) {
    list: transactions(first: 5, after: $after) { nodes { hash isSuccessful timestamp gasUsed actions { kind summary }
      fee { amount { amount denom } } balanceChanges { kind amount denom } }
    pageInfo { hasNextPage endCursor } } } }`,
]

/** Pages that are read in all, and at once: as many requests as one busy second of an explorer sends to its indexers. */
const [mostPages, pagesAtOnce] = [100, 8]

/** What a page of a list says of the next one. */
interface Page {
  readonly chain: {
    readonly list: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string } }
  }
}

/**
 * Reads pages of the newest records of all chains, until there were enough or that many milliseconds are over. It is for
 * a server that does not listen yet: what it runs is compiled then. A chain that does not answer is left alone, and a server
 * that only runs trusted documents runs none of these.
 */
export async function warmUp(pipeline: Pick<Pipeline, 'run'>, services: Services, milliseconds: number): Promise<void> {
  const { clock, openClient, shared } = services
  const client = openClient('warm-up')
  const deadline = openDeadline(clock, { milliseconds })
  let left = mostPages

  const readPage = async (request: OperationRequest): Promise<Page['chain']['list']['pageInfo'] | undefined> => {
    left -= 1
    const result = await pipeline.run(request, { client, signal: deadline.signal })
    return 'data' in result ? (result.data as Page | null)?.chain?.list?.pageInfo : undefined
  }
  const readList = async (query: string, chainId: string) => {
    let after: string | undefined
    while (left > 0 && !deadline.signal.aborted) {
      const page = await readPage({ query, variables: { chainId, after } })
      if (!page?.hasNextPage) return
      after = page.endCursor
    }
  }

  const lists = [...shared.network.chains.keys()].flatMap((id) => documents.map((query) => () => readList(query, id)))
  await Promise.all(lists.slice(0, pagesAtOnce).map((read) => read()))
  deadline.close()
}
