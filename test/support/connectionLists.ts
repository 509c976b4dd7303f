import { type Data, everyChain, type World } from './world.ts'

/** A list of the graph, and the upstream list that its records come from. */
export interface List {
  readonly name: string
  readonly chainId: string
  /** Fields from the chain down to the list; `PAGE` stands for the paging arguments. */
  readonly path: readonly string[]
  /** Fields that identify a record. */
  readonly select: string
  readonly identify: (node: Data) => string
  readonly rest: string
  readonly query?: Record<string, string>
  /** The same text, made of an upstream record. */
  readonly identifyRecord: (record: Data) => string
  readonly accepts?: (record: Data) => boolean
  /** Whether its records keep their places: new ones arrive at its newest end only. */
  readonly isAppendOnly: boolean
  /** Whether the upstream finds its pages by counting records. */
  readonly isCounted: boolean
}

const send = '/cosmos.bank.v1beta1.MsgSend'
const isSend = (tx: Data) => tx.tx.body?.messages.some((part: Data) => part['@type'] === send)

/** Every list of the graph on a chain. Each has records. */
export async function listsOf(world: Pick<World, 'rows'>, chainId: string): Promise<List[]> {
  const first = { 'pagination.reverse': 'false' }
  const collections = await world.rows(chainId, '/indexer/nft/v1/collections', first)
  const collection = collections[1].object_addr
  const tokens = await world.rows(chainId, `/indexer/nft/v1/tokens/by_collection/${collection}`)
  const person = tokens[0].owner
  const [transaction] = await world.rows(chainId, '/indexer/tx/v1/txs')
  const collector = transaction.events
    .flatMap((event: Data) => event.attributes)
    .find(({ key }: Data) => key === 'recipient').value
  const denom = transaction.tx.auth_info.fee.amount[0].denom
  const isEvm = everyChain.some((chain) => chain.chainId === chainId && chain.vm === 'EVM')

  const transactions = {
    select: 'hash',
    identify: (node: Data) => node.hash,
    identifyRecord: (tx: Data) => tx.txhash,
    isAppendOnly: true,
    isCounted: false,
  }
  const collectionNodes = {
    select: 'address',
    identify: (node: Data) => node.address,
    identifyRecord: (collection: Data) => collection.object_addr,
    isAppendOnly: false,
    isCounted: true,
  }
  const nfts = {
    select: 'tokenId collection { address }',
    identify: (node: Data) => `${node.collection.address} ${node.tokenId}`,
    identifyRecord: (token: Data) => `${token.collection_addr} ${token.nft.token_id}`,
    isAppendOnly: false,
    isCounted: true,
  }
  const evm = { ...transactions, identifyRecord: (tx: Data) => tx.transactionHash }
  const calls = {
    ...transactions,
    select: 'transactionHash index',
    identify: (node: Data) => `${node.transactionHash} ${node.index}`,
    identifyRecord: (call: Data) => `${call.hash} ${call.index}`,
  }
  const of = (address: string) => `account(address: "${address}")`
  const held = `nftCollection(address: "${collection}")`
  const tx = '/indexer/tx/v1'
  const nft = '/indexer/nft/v1'
  const types = `filter: { messageTypes: ["${send.slice(1)}"] }`

  const everywhere = [
    {
      ...transactions,
      path: ['blocks(PAGE)'],
      select: 'height',
      identify: (node: Data) => String(node.height),
      identifyRecord: (block: Data) => block.height,
      rest: '/indexer/block/v1/blocks',
    },
    { ...transactions, path: ['transactions(PAGE)'], rest: `${tx}/txs` },
    {
      ...transactions,
      path: [`transactions(${types} PAGE)`],
      rest: `${tx}/txs`,
      query: { msgs: send.slice(1) },
    },
    {
      ...transactions,
      path: ['block(height: 27)', 'transactions(PAGE)'],
      rest: `${tx}/txs/by_height/27`,
    },
    {
      ...transactions,
      path: ['block(height: 27)', `transactions(${types} PAGE)`],
      rest: `${tx}/txs/by_height/27`,
      accepts: isSend,
    },
    {
      ...transactions,
      path: [of(person), 'transactions(PAGE)'],
      rest: `${tx}/txs/by_account/${person}`,
    },
    {
      ...transactions,
      path: [of(person), 'transactions(filter: { signedOnly: true } PAGE)'],
      rest: `${tx}/txs/by_account/${person}`,
      query: { is_signer: 'true' },
    },
    {
      ...transactions,
      path: [of(collector), `transactions(${types} PAGE)`],
      rest: `${tx}/txs/by_account/${collector}`,
      accepts: isSend,
    },
    {
      ...transactions,
      path: [`nft(collection: "${collection}", tokenId: "${tokens[0].nft.token_id}")`, 'transactions(PAGE)'],
      rest: `${nft}/txs/${collection}/${tokens[0].nft.token_id}`,
    },
    { ...collectionNodes, path: ['nftCollections(PAGE)'], rest: `${nft}/collections` },
    {
      ...collectionNodes,
      path: ['nftCollections(filter: { search: "a" } PAGE)'],
      rest: `${nft}/collections/by_name/a`,
    },
    {
      ...collectionNodes,
      path: [of(person), 'nftCollections(PAGE)'],
      rest: `${nft}/collections/by_account/${person}`,
    },
    { ...nfts, path: [of(person), 'nfts(PAGE)'], rest: `${nft}/tokens/by_account/${person}` },
    {
      ...nfts,
      path: [of(person), `nfts(filter: { collection: "${collection}" }, orderBy: HEIGHT PAGE)`],
      rest: `${nft}/tokens/by_account/${person}`,
      query: { collection_addr: collection, order_by: 'height' },
    },
    { ...nfts, path: [held, 'nfts(PAGE)'], rest: `${nft}/tokens/by_collection/${collection}` },
    {
      ...nfts,
      path: [held, 'nfts(orderBy: HEIGHT PAGE)'],
      rest: `${nft}/tokens/by_collection/${collection}`,
      query: { order_by: 'height' },
    },
    {
      path: [`richList(denom: "${denom}" PAGE)`],
      select: 'account { address }',
      identify: (node: Data) => node.account.address,
      identifyRecord: (holder: Data) => holder.account,
      rest: `/indexer/richlist/v1/${denom.replace(/^evm\//, '0x')}`,
      isAppendOnly: false,
      isCounted: true,
    },
  ]
  const hash = isEvm && (await world.rows(chainId, `${tx}/evm-txs`, first))[13].transactionHash
  const onEvm = [
    { ...evm, path: ['evmTransactions(PAGE)'], rest: `${tx}/evm-txs` },
    {
      ...evm,
      path: ['block(height: 27)', 'evmTransactions(PAGE)'],
      rest: `${tx}/evm-txs/by_height/27`,
    },
    {
      ...evm,
      path: [of(person), 'evmTransactions(PAGE)'],
      rest: `${tx}/evm-txs/by_account/${person}`,
    },
    {
      ...evm,
      path: [of(person), 'evmTransactions(filter: { signedOnly: true } PAGE)'],
      rest: `${tx}/evm-txs/by_account/${person}`,
      query: { is_signer: 'true' },
    },
    { ...calls, path: ['evmInternalTransactions(PAGE)'], rest: `${tx}/evm-internal-txs` },
    {
      ...calls,
      path: ['block(height: 27)', 'evmInternalTransactions(PAGE)'],
      rest: `${tx}/evm-internal-txs/by_height/27`,
    },
    {
      ...calls,
      path: [of(person), 'evmInternalTransactions(PAGE)'],
      rest: `${tx}/evm-internal-txs/by_account/${person}`,
    },
    {
      ...calls,
      path: [`evmTransaction(hash: "${hash}")`, 'internalTransactions(PAGE)'],
      rest: `${tx}/evm-internal-txs/${hash}`,
    },
  ]
  return [...everywhere, ...(isEvm ? onEvm : [])].map((list) => ({
    ...list,
    chainId,
    name: `${chainId} ${list.path.join(' ').replace(/"[^"]{12}[^"]*"/g, '…')}`,
  }))
}

/** The records of the upstream's list in this order, as `identify` names them. */
export async function upstreamOf(world: World, list: List, order: 'ASC' | 'DESC') {
  const query = { ...list.query, 'pagination.reverse': String(order === 'DESC') }
  const rows = await world.rows(list.chainId, list.rest, query)
  return rows.filter(list.accepts ?? (() => true)).map(list.identifyRecord)
}

export interface PageRequest {
  readonly order: 'ASC' | 'DESC'
  readonly first?: number
  readonly last?: number
  readonly after?: string | null
  readonly before?: string | null
}

export interface ListPage {
  readonly ids: string[]
  readonly cursors: string[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
}

/**
 * A page size near `size` that reads a list of `length` records in at most twelve pages. Small pages of
 * long lists are checked without a gateway in test/engine/pagination.
 */
export const sizeFor = (length: number, size: number): number => Math.min(100, Math.max(size, Math.ceil(length / 12)))

/** Fields selected on a list, with paging arguments that are variables. */
export function documentOf(list: List, selection: string): string {
  const paging = 'first: $first, last: $last, after: $after, before: $before, order: $order'
  const nested = list.path.reduceRight((inner, field) => `${field.replace('PAGE', paging)} { ${inner} }`, selection)
  return `query ($first: Int, $last: Int, $after: String, $before: String, $order: OrderDirection!) {
    chain(chainId: "${list.chainId}") { ${nested} }
  }`
}

/** One field `page0`, `page1`, … for each of these pages of a list. */
export function documentOfPages(
  list: List,
  pages: readonly Record<string, string | number>[],
  selection: string,
): string {
  const parents = list.path.slice(0, -1)
  const field = list.path.at(-1) ?? ''
  const fields = pages.map((page, i) => {
    const paging = Object.entries(page).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    return `page${i}: ${field.replace('PAGE', () => paging.join(', '))} { ${selection} }`
  })
  const nested = parents.reduceRight((inner, parent) => `${parent} { ${inner} }`, fields.join('\n'))
  return `{ chain(chainId: "${list.chainId}") { ${nested} } }`
}

/** The list in the response to a document of `documentOf`. */
export const listIn = (list: List, data: Data): Data =>
  list.path.reduce((value, field) => value[/^\w+/.exec(field)?.[0] ?? ''], data.chain)

/** One page of a list, read through the graph. */
export async function pageOf(world: World, list: List, request: PageRequest): Promise<ListPage> {
  const selection = `edges { cursor node { ${list.select} } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`
  const connection = listIn(list, await world.data(documentOf(list, selection), { ...request }))
  return {
    ids: connection.edges.map((edge: Data) => list.identify(edge.node)),
    cursors: connection.edges.map((edge: Data) => edge.cursor),
    pageInfo: connection.pageInfo,
  }
}
