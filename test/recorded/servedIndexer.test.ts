import { afterAll, beforeAll, expect, test } from 'vitest'
import { recorded } from '../support/recorded.ts'
import { type RecordedWorld, startRecordedWorld } from '../support/recordedWorld.ts'
import type { Data } from '../support/world.ts'

// What the gateway shows is compared with what this file reads from the bodies by itself.

let world: RecordedWorld
beforeAll(async () => {
  world = await startRecordedWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** The body of the first success whose path begins so. */
const bodyOf = (path: string): Data =>
  recorded.indexer.find((answer) => answer.status === 200 && answer.path.startsWith(path))?.body

const { blocks } = bodyOf('/indexer/block/v1/blocks?')
const { txs } = bodyOf('/indexer/tx/v1/txs?')
const { txs: receipts } = bodyOf('/indexer/tx/v1/evm-txs?')
const { internal_txs: calls } = bodyOf('/indexer/tx/v1/evm-internal-txs?')
const account = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa8ae'
const collector = 'init142424242424242424242424242424fzhwnc68s'
const collection = '0x1111111111111111111111111111111111111111'

const address = (value: string | null) => (value ? { address: value } : null)
const decimal = (value: string) => String(BigInt(value))

test('a page of blocks has all of each block, and its transactions', async () => {
  const { chain } = await world.data(`{ chain { blocks(first: 25) { nodes {
    height hash timestamp gasUsed gasWanted transactionCount blockTimeSeconds totalFee { denom amount }
    proposer { moniker identity operatorAddress } transactions { nodes { hash } } evmTransactions { nodes { hash } }
  } } } }`)
  expect(chain.blocks.nodes).toEqual(
    blocks.map((block: Data) => ({
      ...{ height: Number(block.height), hash: block.hash, timestamp: block.timestamp },
      ...{ gasUsed: block.gas_used, gasWanted: block.gas_wanted, totalFee: block.total_fee },
      ...{ transactionCount: Number(block.tx_count), blockTimeSeconds: Number(block.block_time) / 1000 || null },
      proposer: { moniker: 'seq-1', identity: null, operatorAddress: block.proposer.operator_address },
      transactions: {
        nodes: txs
          .filter(({ height }: Data) => height === block.height)
          .map(({ txhash }: Data) => ({ hash: txhash }))
          .reverse(),
      },
      evmTransactions: {
        nodes: receipts
          .filter(({ blockNumber }: Data) => Number(blockNumber) === Number(block.height))
          .map(({ transactionHash }: Data) => ({ hash: transactionHash }))
          .reverse(),
      },
    })),
  )
})

test.each<Data>(txs.slice(0, 4))('transaction $txhash has its words, its changes and its record', async (tx: Data) => {
  const { chain } = await world.data(`{ chain { transaction(hash: "${tx.txhash}") {
    hash height code codespace data info rawLog memo gasUsed gasWanted isSuccessful timestamp signatures
    messages { typeUrl } events { type attributes { key value isIndexed } } signers { publicKeyType }
    actions { kind rawKind summary isSuccessful messageIndex } balanceChanges { amount } fee { gasLimit } block { hash }
  } } }`)
  const { code, gas_used: gasUsed, gas_wanted: gasWanted, timestamp, events } = tx
  const isSuccessful = code === 0
  expect(chain.transaction).toEqual({
    ...{ hash: tx.txhash, height: Number(tx.height), code, codespace: null, data: tx.data },
    ...{ info: null, rawLog: null, memo: null, gasUsed, gasWanted, isSuccessful, timestamp },
    signatures: tx.tx.signatures,
    messages: tx.tx.body.messages.map((message: Data) => ({ typeUrl: message['@type'] })),
    events: events.map(({ type, attributes }: Data) => ({
      type,
      attributes: attributes.map(({ key, value, index }: Data) => ({ key, value, isIndexed: index })),
    })),
    // The records have neither signers nor a fee, and a send without its coins.
    ...{ signers: [], fee: null, balanceChanges: [] },
    actions: [
      {
        ...{ kind: 'SEND', rawKind: '/cosmos.bank.v1beta1.MsgSend', messageIndex: 0, isSuccessful },
        summary: isSuccessful ? 'Sent coins' : 'Tried to send coins',
      },
    ],
    block: { hash: blocks.find(({ height }: Data) => height === tx.height).hash },
  })
})

test('the EVM transactions and calls of a chain have all of each record', async () => {
  const { chain } = await world.data(`{ chain {
    evmTransactions(first: 24) { totalCount nodes {
      hash height index from { address } to { address } createdContract { address } gasUsed cumulativeGasUsed
      effectiveGasPrice fee isSuccessful type blockHash logsBloom logs { data } internalTransactions { nodes { index } }
    } }
    evmInternalTransactions(first: 60) { nodes {
      transactionHash height index parentIndex rawKind from { address } to { address } input output value gas gasUsed
    } }
  } }`)
  expect(chain.evmTransactions).toEqual({
    totalCount: 24,
    nodes: receipts.map((receipt: Data) => ({
      ...{
        hash: receipt.transactionHash,
        height: Number(receipt.blockNumber),
        index: Number(receipt.transactionIndex),
      },
      ...{ from: address(receipt.from), to: address(receipt.to), createdContract: address(receipt.contractAddress) },
      ...{ gasUsed: decimal(receipt.gasUsed), cumulativeGasUsed: decimal(receipt.cumulativeGasUsed) },
      effectiveGasPrice: decimal(receipt.effectiveGasPrice),
      fee: String(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)),
      ...{ isSuccessful: receipt.status === '0x1', type: Number(receipt.type), blockHash: receipt.blockHash },
      ...{ logsBloom: receipt.logsBloom, logs: receipt.logs ?? [] },
      internalTransactions: {
        nodes: calls
          .filter(({ hash }: Data) => hash === receipt.transactionHash)
          .map(({ index }: Data) => ({ index }))
          .reverse(),
      },
    })),
  })
  expect(chain.evmInternalTransactions.nodes).toEqual(
    calls.map(({ hash, height, index, parent_index, type, from, to, input, output, ...call }: Data) => ({
      ...{ transactionHash: hash, height, index, parentIndex: parent_index < 0 ? null : parent_index, rawKind: type },
      ...{ from: address(from), to: address(to), input, output },
      ...{ value: decimal(call.value), gas: decimal(call.gas), gasUsed: decimal(call.gasUsed) },
    })),
  )
})

test('an account has its transactions of all kinds, its NFTs and their collections', async () => {
  const { chain } = await world.data(`{ chain {
    account(address: "${account}") {
      transactions { nodes { hash } } evmTransactions { nodes { hash } }
      evmInternalTransactions(first: 7) { nodes { transactionHash index } }
    }
    collector: account(address: "${collector}") {
      nfts { nodes { tokenId uri height timestamp collection { address name } owner { bech32Address } } }
      nftCollections { nodes { address } }
    }
  } }`)
  const of = (list: string) => bodyOf(`/indexer/tx/v1/${list}/by_account/${account}?`)
  expect(chain.account).toEqual({
    transactions: { nodes: of('txs').txs.map(({ txhash }: Data) => ({ hash: txhash })) },
    evmTransactions: { nodes: of('evm-txs').txs.map(({ transactionHash }: Data) => ({ hash: transactionHash })) },
    evmInternalTransactions: {
      nodes: of('evm-internal-txs').internal_txs.map(({ hash, index }: Data) => ({ transactionHash: hash, index })),
    },
  })
  const { tokens } = bodyOf(`/indexer/nft/v1/tokens/by_account/${collector}?`)
  const { collections } = bodyOf(`/indexer/nft/v1/collections/by_account/${collector}?`)
  expect(chain.collector).toEqual({
    nfts: {
      nodes: tokens.map(({ nft, owner, height, timestamp, ...token }: Data) => ({
        ...{ tokenId: nft.token_id, uri: nft.uri, height, timestamp, owner: { bech32Address: owner } },
        collection: { address: token.collection_addr, name: token.collection_name },
      })),
    },
    nftCollections: { nodes: collections.map(({ object_addr }: Data) => ({ address: object_addr })) },
  })
})

test('collections, their NFTs and a rich list have all of each record', async () => {
  const { chain } = await world.data(`{ chain {
    nftCollections { nodes { address name originName nftCount height timestamp creator { bech32Address } } }
    nftCollection(address: "${collection}") { nfts { totalCount nodes { tokenId } } }
    richList(denom: "evm/${'cd'.repeat(20)}", first: 30) { nodes { rank amount account { address } } }
    status { chainId version commit height internalTransactionHeight richListHeight } averageBlockTimeSeconds
  } }`)
  const { collections } = bodyOf('/indexer/nft/v1/collections?')
  expect(chain.nftCollections.nodes).toEqual(
    collections.map(({ object_addr, collection, height, timestamp }: Data) => ({
      ...{ address: object_addr, name: collection.name, originName: collection.origin_name || null },
      ...{ nftCount: collection.nfts.length, height, timestamp },
      creator: collection.creator ? { bech32Address: collection.creator } : null,
    })),
  )
  const { tokens } = bodyOf(`/indexer/nft/v1/tokens/by_collection/${collection}?pagination.limit=100&pagination`)
  const nodes = tokens.map(({ nft }: Data) => ({ tokenId: nft.token_id }))
  expect(chain.nftCollection.nfts).toEqual({ totalCount: tokens.length, nodes })
  const { holders } = bodyOf(`/indexer/richlist/v1/0x${'cd'.repeat(20)}?pagination.limit=100`)
  expect(chain.richList.nodes).toEqual(
    holders
      .slice(0, 30)
      .map(({ account, amount }: Data, at: number) => ({ rank: at + 1, amount, account: { address: account } })),
  )
  const status = bodyOf('/status')
  expect(chain.status).toEqual({
    ...{ chainId: status.chain_id, version: status.version, commit: status.commit_hash, height: status.height },
    ...{ internalTransactionHeight: status.internal_tx_height, richListHeight: status.rich_list_height },
  })
  expect(chain.averageBlockTimeSeconds).toBe(bodyOf('/indexer/block/v1/avg_blocktime').avg_block_time)
})

test('records that the indexer has not are null, and one that it fails to send is an error', async () => {
  const { data, errors } = await world.ask(`{ chain {
    block(height: 999) { hash } transaction(hash: "${'0'.repeat(64)}") { code }
    evmTransaction(hash: "0x${'0'.repeat(64)}") { type }
    none: nftCollection(address: "0x${'9'.padStart(40, '0')}") { name }
    failed: nftCollection(address: "0x${'4'.repeat(40)}") { name }
  } }`)
  expect(data.chain).toEqual({ block: null, transaction: null, evmTransaction: null, none: null, failed: null })
  expect(errors).toMatchObject([{ path: ['chain', 'failed'], extensions: { code: 'UPSTREAM_UNAVAILABLE' } }])
})
