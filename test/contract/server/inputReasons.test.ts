import { afterAll, expect, test } from 'vitest'
import { createGateway } from '../../../src/gateway.ts'
import { post } from '../../support/http.ts'

// All of it is refused before any upstream request.
const server = await createGateway({
  chains: [{ chainId: 'test-1', url: 'http://127.0.0.1:1', bech32Prefix: 'init', vm: 'move' }],
})
afterAll(() => server.close())

const account = '{ account(address: "0x1") { activity(ARGS) { nodes { hash } } } }'

test.each([
  ['INVALID_ADDRESS', '{ account(address: "x") { hexAddress } }'],
  ['INVALID_HASH', '{ chain { transaction(hash: "x") { hash } } }'],
  ['INVALID_ID', '{ node(id: "x") { id } }'],
  ['INVALID_CURSOR', account.replace('ARGS', 'after: "x"')],
  ['INVALID_MESSAGE_TYPE', account.replace('ARGS', 'filter: { messageTypes: ["MsgSend"] }')],
  ['INVALID_ARGUMENT', account.replace('ARGS', 'filter: { messageTypes: [] }')],
  ['INVALID_ARGUMENT', account.replace('ARGS', 'first: -1')],
  ['CHAIN_NOT_INDEXED', account.replace('ARGS', 'filter: { chainIds: ["nowhere-1"] }')],
  ['PAGE_TOO_LARGE', account.replace('ARGS', 'first: 1000')],
  ['INVALID_DENOM', '{ chain { richList(denom: "a b") { nodes { amount } } } }'],
])('invalid input has the reason %s: %s', async (reason, query) => {
  const { body } = await post(server.url, { query })
  expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason })
})

test('invalid variables and requests have a reason', async () => {
  const query = 'query ($h: UInt53!) { chain { block(height: $h) { hash } } }'
  const variables = await post(server.url, { query, variables: { h: 'x' } })
  expect(variables.body.errors[0].extensions).toMatchObject({
    ...{ code: 'BAD_USER_INPUT', reason: 'INVALID_ARGUMENT' },
  })
  const request = await post(server.url, { query: '{ chain { chainId } }', operationName: 7 })
  expect(request.body.errors[0].extensions).toMatchObject({
    ...{ code: 'BAD_USER_INPUT', reason: 'INVALID_REQUEST' },
  })
  const body = await fetch(server.url, { method: 'POST', body: 'x' })
  expect((await body.json()).errors[0].extensions).toMatchObject({
    ...{ code: 'BAD_USER_INPUT', reason: 'INVALID_REQUEST' },
  })
})
