import { expect, test } from 'vitest'
import { startTwinWorld, type TwinWorld } from './gateway.ts'
import {
  account,
  block,
  blockHash,
  chainId,
  collection,
  evmHash,
  evmTransaction,
  holder,
  internalTransaction,
  nft,
  nftCollection,
  type Row,
  stranger,
  transaction,
  transactionHash,
} from './records.ts'
import { plainRouter, startTwinRouter } from './router.ts'

// Each endpoint and each field of the contract, reached through the graph. Left out are: `previous_key`, since lists are read back
// by their own keys; `nfts.handle`, a table inside a Move chain; and what a log repeats of its transaction.

const n = 7
const row = (record: Row) => record as Readonly<Record<string, never>>

/** What the graph says at a place, for a document with one value at each level. */
async function at(world: TwinWorld, path: string): Promise<unknown> {
  const fields = path.split(' > ')
  const query = fields.reduceRight((inner, field) => (inner === '' ? field : `${field} { ${inner} }`), '')
  let value = await world.data(`{ ${query} }`)
  for (const field of fields) {
    value = value[/^\w+/.exec(field)?.[0] ?? '']
    if (Array.isArray(value)) [value] = value
  }
  return value
}

const chain = `chain(chainId: "${chainId}")`
const oneBlock = `${chain} > block(height: ${n})`
const oneTransaction = `${chain} > transaction(hash: "${transactionHash(n)}")`
const ofAccount = `${chain} > account(address: "${account.hex}")`
const receipt = `${ofAccount} > evmTransactions(first: 1) > nodes`
const call = `${chain} > evmInternalTransactions(first: 1) > nodes`
const oneCollection = `${chain} > nftCollection(address: "${collection}")`
const oneNft = `${chain} > nft(collection: "${collection}", tokenId: "0007")`
const newest = 24

const facts: Readonly<Record<string, unknown>> = {
  // 2.2, GET /status
  [`${chain} > status > version`]: 'v9.9.9',
  [`${chain} > status > commit`]: 'abcdef',
  [`${chain} > status > chainId`]: chainId,
  [`${chain} > status > height`]: newest,
  [`${chain} > status > internalTransactionHeight`]: newest,
  [`${chain} > status > richListHeight`]: newest,
  // GET /indexer/block/v1/avg_blocktime
  [`${chain} > averageBlockTimeSeconds`]: 2,
  // 2.3, GET /indexer/block/v1/blocks and /blocks/{height}
  [`${chain} > blocks(first: 1) > nodes > hash`]: blockHash(newest),
  [`${oneBlock} > chain > chainId`]: row(block(n)).chain_id,
  [`${oneBlock} > height`]: n,
  [`${oneBlock} > hash`]: blockHash(n),
  [`${oneBlock} > blockTimeSeconds`]: 2,
  [`${oneBlock} > timestamp`]: row(block(n)).timestamp,
  [`${oneBlock} > gasUsed`]: '21000',
  [`${oneBlock} > gasWanted`]: '30000',
  [`${oneBlock} > transactionCount`]: 1,
  [`${oneBlock} > totalFee > denom`]: 'utwin',
  [`${oneBlock} > totalFee > amount`]: '17',
  [`${oneBlock} > proposer > moniker`]: 'Pilot',
  [`${oneBlock} > proposer > identity`]: 'ABCDEF',
  // 2.4, GET /indexer/tx/v1/txs, /{tx_hash}, /by_account/{account}, /by_height/{height}
  [`${chain} > transactions(first: 1) > nodes > hash`]: transactionHash(newest),
  [`${ofAccount} > transactions(first: 1) > nodes > hash`]: transactionHash(newest),
  [`${ofAccount} > transactions(first: 1, filter: { signedOnly: true }) > nodes > hash`]: transactionHash(newest),
  [`${oneBlock} > transactions(first: 1) > nodes > hash`]: transactionHash(n),
  [`${oneTransaction} > hash`]: transactionHash(n),
  [`${oneTransaction} > height`]: n,
  [`${oneTransaction} > code`]: 0,
  [`${oneTransaction} > codespace`]: row(transaction(n)).codespace,
  [`${oneTransaction} > data`]: row(transaction(n)).data,
  [`${oneTransaction} > rawLog`]: row(transaction(n)).raw_log,
  [`${oneTransaction} > info`]: row(transaction(n)).info,
  [`${oneTransaction} > gasWanted`]: '30000',
  [`${oneTransaction} > gasUsed`]: '21000',
  [`${oneTransaction} > timestamp`]: row(transaction(n)).timestamp,
  [`${oneTransaction} > memo`]: 'aye',
  [`${oneTransaction} > messages > typeUrl`]: '/cosmos.bank.v1beta1.MsgSend',
  [`${oneTransaction} > events > type`]: 'message',
  // 2.5, GET /indexer/tx/v1/evm-txs/by_account/{account}
  [`${receipt} > blockHash`]: row(evmTransaction(newest)).blockHash,
  [`${receipt} > height`]: newest,
  [`${receipt} > createdContract > hexAddress`]: stranger.hex,
  [`${receipt} > cumulativeGasUsed`]: '21000',
  [`${receipt} > effectiveGasPrice`]: '1',
  [`${receipt} > from > hexAddress`]: account.hex,
  [`${receipt} > gasUsed`]: '21000',
  [`${receipt} > logsBloom`]: row(evmTransaction(newest)).logsBloom,
  [`${receipt} > isSuccessful`]: true,
  [`${receipt} > to > hexAddress`]: stranger.hex,
  [`${receipt} > hash`]: evmHash(newest),
  [`${receipt} > index`]: 0,
  [`${receipt} > type`]: 2,
  [`${receipt} > logs > account > hexAddress`]: collection,
  [`${receipt} > logs > data`]: '0x07',
  [`${receipt} > logs > index`]: 0,
  [`${receipt} > logs > isRemoved`]: false,
  [`${receipt} > logs > topics`]: `0x${'5'.repeat(64)}`,
  // 2.6, GET /indexer/tx/v1/evm-internal-txs
  [`${call} > height`]: newest,
  [`${call} > transactionHash`]: evmHash(newest),
  [`${call} > parentIndex`]: 0,
  [`${call} > index`]: 1,
  [`${call} > rawKind`]: row(internalTransaction(newest)).type,
  [`${call} > from > hexAddress`]: account.hex,
  [`${call} > to > hexAddress`]: stranger.hex,
  [`${call} > input`]: '0x01',
  [`${call} > output`]: '0x02',
  [`${call} > value`]: '1',
  [`${call} > gas`]: '21000',
  [`${call} > gasUsed`]: '20992',
  // 2.7, GET /indexer/nft/v1/collections, /by_account/{account}, /by_name/{name}, /{collection_addr}
  [`${chain} > nftCollections(first: 1) > nodes > name`]: `Fleet ${newest}`,
  [`${chain} > nftCollections(first: 1, filter: { search: "Fleet" }) > nodes > name`]: `Fleet ${newest}`,
  [`${ofAccount} > nftCollections(first: 1) > nodes > name`]: `Fleet ${newest}`,
  [`${oneCollection} > address`]: collection,
  [`${oneCollection} > creator > hexAddress`]: account.hex,
  [`${oneCollection} > name`]: 'Fleet 1',
  [`${oneCollection} > originName`]: 'Origin 1',
  [`${oneCollection} > nftCount`]: 30,
  [`${oneCollection} > height`]: 1,
  [`${oneCollection} > timestamp`]: row(nftCollection(1)).timestamp,
  // 2.8, GET /indexer/nft/v1/tokens/by_account/{account}, /by_collection/{collection_addr}
  [`${ofAccount} > nfts(first: 1, orderBy: HEIGHT) > nodes > tokenId`]: '0024',
  [`${ofAccount} > nfts(first: 1, filter: { collection: "${collection}", tokenId: "0005" }) > nodes > tokenId`]: '0005',
  [`${oneCollection} > nfts(first: 1, filter: { tokenId: "0009" }) > nodes > tokenId`]: '0009',
  [`${oneNft} > collection > address`]: collection,
  [`${oneNft} > collection > name`]: 'Fleet 1',
  [`${oneNft} > objectAddress`]: row(nft(n)).object_addr,
  [`${oneNft} > owner > hexAddress`]: account.hex,
  [`${oneNft} > tokenId`]: '0007',
  [`${oneNft} > uri`]: 'https://example.com/7',
  [`${oneNft} > height`]: n,
  [`${oneNft} > timestamp`]: row(nft(n)).timestamp,
  // GET /indexer/nft/v1/txs/{collection_addr}/{token_id}
  [`${oneNft} > transactions(first: 1) > nodes > hash`]: transactionHash(newest),
  // 2.9, GET /indexer/richlist/v1/{denom}
  [`${chain} > richList(denom: "utwin", first: 1) > nodes > account > hexAddress`]: row(holder(newest)).account,
  [`${chain} > richList(denom: "utwin", first: 1) > nodes > amount`]: row(holder(newest)).amount,
}

test('each endpoint and field of indexers is reached', async () => {
  await using world = await startTwinWorld()
  const found: Record<string, unknown> = {}
  for (const path of Object.keys(facts)) {
    found[path] = await at(world, path).catch((error: unknown) => String(error))
  }
  expect(found).toEqual(facts)
})

test('the total of a list is that of its pages, and null where they say none', async () => {
  const total = async (hasTotals: boolean) => {
    await using world = await startTwinWorld({ hasTotals })
    return await at(world, `${ofAccount} > transactions(first: 1) > totalCount`)
  }
  expect(await total(true)).toBe(newest)
  expect(await total(false)).toBeNull()
})

test('each endpoint of the router is reached', async () => {
  await using router = await startTwinRouter(plainRouter)
  await using world = await startTwinWorld({}, router.url)
  const { route } = await world.data(`{ route(input: {
    amountIn: "100", source: { chainId: "twin-1", denom: "utwin" }, destination: { chainId: "twin-2", denom: "utwin" }
  }) { amountIn amountOut requiresOpHook routeToken operations { bridge } } }`)
  expect(route).toMatchObject({ amountIn: '100', amountOut: '99', requiresOpHook: true })
  expect(route.operations).toHaveLength(1)
  const { opHook } = await world.data(
    `query ($token: String!) { opHook(input: { routeToken: $token, sourceAddress: "${account.bech32}", destinationAddress: "${account.bech32}" }) {
      chainId messages { typeUrl } } }`,
    { token: route.routeToken },
  )
  expect(opHook).toEqual({ chainId: 'twin-2', messages: [{ typeUrl: '/twin.Hook' }] })
  const { transferMessages } = await world.data(
    `query ($token: String!) { transferMessages(input: {
      routeToken: $token, addresses: ["${account.bech32}", "${account.bech32}"], slippageTolerancePercent: "1",
      signedOpHook: { hook: "signed", signer: "${account.bech32}" }
    }) { transactions { __typename } } }`,
    { token: route.routeToken },
  )
  expect(transferMessages.transactions).toHaveLength(1)
  const { trackTransfer } = await world.data(
    `mutation { trackTransfer(input: { chainId: "twin-1", hash: "${transactionHash(n)}" }) { transfer { state hops { state } } } }`,
  )
  expect(trackTransfer.transfer).toMatchObject({ state: 'PENDING', hops: [{}] })
  // It may be asked for more, which is not in the contract, and need not have it.
  expect(router.requests).toEqual(
    expect.arrayContaining([
      'POST /v2/fungible/route',
      'POST /op-hook',
      'POST /v2/fungible/msgs',
      'POST /v2/tx/track',
      'GET /v2/tx/status',
    ]),
  )
})
