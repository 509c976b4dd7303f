import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createGateway } from '../../../src/gateway.ts'
import { post } from '../../support/http.ts'
import { startTwinWorld } from './gateway.ts'
import { account, chainId, transactionHash } from './records.ts'

test('a record that the indexer does not have is null, in whatever words it says so', async () => {
  await using world = await startTwinWorld()
  await world.data('{ chain(chainId: "twin-1") { blocks(first: 1) { nodes { height } } } }')
  const absent = await world.data(`{ chain(chainId: "twin-1") {
    block(height: 999) { hash } transaction(hash: "${transactionHash(999)}") { hash }
    nftCollection(address: "0x${'7'.repeat(40)}") { name }
  } }`)
  expect(absent.chain).toEqual({ block: null, transaction: null, nftCollection: null })
})

// A service that answers as the gateway of a chain does to a path that it does not have.
test('a list that each indexer has is an error where its requests lead elsewhere', async () => {
  const server = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end('{"code":5,"message":"Not Found","details":[]}')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await using gateway = await createGateway(
    { chains: [{ chainId, url, vm: 'evm', bech32Prefix: 'twin' }] },
    { server: { grace: 0, drain: 0 } },
  )
  const query = `{ chain(chainId: "twin-1") {
    blocks(first: 1) { nodes { height } } transactions(first: 1) { nodes { hash } } nftCollections(first: 1) { nodes { name } }
    latestBlock { height }
    account(address: "${account.hex}") { transactions(first: 1) { nodes { hash } } nfts(first: 1) { nodes { tokenId } } }
  } }`
  const { body } = await post(gateway.url, { query })
  const failed = body.errors.map(({ path, extensions }: { path: string[]; extensions: { code: string } }) => [
    path.join('.'),
    extensions.code,
  ])
  expect(failed.sort()).toEqual(
    [
      ['chain.account.nfts', 'UPSTREAM_REJECTED'],
      ['chain.account.transactions', 'UPSTREAM_REJECTED'],
      ['chain.blocks', 'UPSTREAM_REJECTED'],
      ['chain.latestBlock', 'UPSTREAM_REJECTED'],
      ['chain.nftCollections', 'UPSTREAM_REJECTED'],
      ['chain.transactions', 'UPSTREAM_REJECTED'],
    ].sort(),
  )
})
