import type { Request } from './gateway.ts'
import { testGolden } from './golden.ts'

// Requests that the gateway refuses, by HTTP, by GraphQL and by its limits, and odd ones that it answers.

const chain = (fields: string) => `{ chain(chainId: "galley-1") { ${fields} } }`
const long = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ')
const hello = '{ chain { chainId } }'
const json = { 'content-type': 'application/json' }

const documents: Readonly<Record<string, string | Request>> = {
  // GraphQL
  'no document': '',
  'a document that ends too early': '{',
  'a field that does not exist': '{ chainz { chainId } }',
  'an argument that does not exist': '{ chain(id: "a") { chainId } }',
  'an argument of another type': chain('blocks(first: "many") { nodes { height } }'),
  'a required argument that is missing': '{ block(height: 1) { hash } }',
  'a selection of a value': '{ chain { chainId { a } } }',
  'a record without a selection': '{ chain }',
  'fragments in a circle': '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }',
  'a fragment that nobody uses': `${hello} fragment a on Query { chains { chainId } }`,
  'a variable that is not declared': '{ chain(chainId: $id) { chainId } }',
  'a variable of another type': {
    query: 'query ($first: Int) { chain { blocks(first: $first) { nodes { height } } } }',
    variables: { first: 'many' },
  },
  'a variable that is missing': 'query ($id: ID!) { node(id: $id) { id } }',
  'two operations and no name': 'query a { chains { chainId } } query b { chains { chainId } }',
  'a name of no operation': {
    body: JSON.stringify({ query: 'query a { __typename }', operationName: 'b' }),
  },
  'a subscription without a stream': {
    query: 'subscription { chainHeads { height } }',
    headers: { accept: 'application/json' },
  },
  'fields that cannot be merged': '{ chain { a: chainId a: name } }',
  'a directive that does not exist': '{ chain @later { chainId } }',
  '@skip of a null variable': {
    query: 'query ($skip: Boolean!) { chain { chainId @skip(if: $skip) } }',
    variables: { skip: null },
  },
  introspection: '{ __schema { queryType { name } } __type(name: "Block") { kind } }',
  '__typename alone': '{ __typename }',
  'an alias': '{ first: chain { chainId } second: chain { chainId } }',
  '@include of a variable': {
    query: 'query ($more: Boolean!) { chain { chainId name @include(if: $more) } }',
    variables: { more: false },
  },
  // Input
  'a chain that nobody knows': '{ chain(chainId: "nowhere-1") { chainId } }',
  'a chain id with a space': '{ chain(chainId: "a b") { chainId } }',
  'a height of 0': chain('block(height: 0) { hash }'),
  'a height below 0': chain('block(height: -1) { hash }'),
  'a height beyond the newest': chain('block(height: 99999999) { hash }'),
  'a height with a point': chain('block(height: 1.5) { hash }'),
  'a hash that is too short': chain('transaction(hash: "AB") { hash }'),
  'a hash that nobody knows': chain(`transaction(hash: "${'0'.repeat(64)}") { hash }`),
  'an address that is none': chain('account(address: "nobody") { address }'),
  'an address with a wrong checksum': chain(
    'account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg4") { address }',
  ),
  'an address of a wrong length': chain('account(address: "0x1234") { address }'),
  'an id that is none': '{ node(id: "x") { id } }',
  'an id of no record': '{ node(id: "QmxvY2s6bm93aGVyZS0xLzE=") { id } }',
  'ids of which one is none': '{ nodes(ids: ["x"]) { id } }',
  'a transfer with a hash that is too short': '{ transfer(chainId: "harbor-1", hash: "AB") { state } }',
  'a transfer that nobody tracks': `{ transfer(chainId: "harbor-1", hash: "${'cd'.repeat(32)}") { state } }`,
  'a search of nothing': '{ search(text: " ") { edges { node { __typename } } } }',
  'a search of one letter': '{ search(text: "a") { edges { node { __typename } } } }',
  'a route of nothing': `{ route(input: { amountIn: "0", source: { chainId: "harbor-1", denom: "uinit" }
    destination: { chainId: "osmosis-1", denom: "uosmo" } }) { amountOut } }`,
  'a route of a symbol': `{ route(input: { amountIn: "5", source: { chainId: "harbor-1", denom: "INIT" }
    destination: { chainId: "osmosis-1", denom: "uosmo" } }) { amountOut } }`,
  'a route to nowhere': `{ route(input: { amountIn: "5", source: { chainId: "harbor-1", denom: "uinit" }
    destination: { chainId: "osmosis-1", denom: "unothing" } }) { amountOut } }`,
  'a route token that is forged': `{ transferMessages(input: { routeToken: "abc", addresses: ["a"] }) { fees { amount } } }`,
  'a time that is none': chain('blocks(first: 1, since: "soon") { nodes { height } }'),
  'a span that ends before it begins': chain(
    'blocks(first: 1, since: "2026-10-01T11:00:00Z", until: "2026-10-01T10:00:00Z") { nodes { height } }',
  ),
  // Pages
  'a page of nothing': chain('blocks(first: 0) { nodes { height } }'),
  'a page below 0': chain('blocks(first: -1) { nodes { height } }'),
  'a page of too many': chain('blocks(first: 101) { nodes { height } }'),
  'a page from both ends': chain('blocks(first: 1, last: 1) { nodes { height } }'),
  'a page before a cursor, forward': chain('blocks(first: 1, before: "x") { nodes { height } }'),
  'a cursor that is none': chain('blocks(first: 1, after: "x") { nodes { height } }'),
  'a page without a size': chain('blocks { nodes { height } }'),
  // Limits
  'a document of too many tokens': `{ ${long(1_999, 'chains')} }`,
  'a document that costs too much': chain(
    'blocks(first: 100) { nodes { transactions(first: 100) { nodes { events { attributes { key } } } } } }',
  ),
  'a cost that is asked for': {
    query: chain('blocks(first: 5) { nodes { height } }'),
    headers: { ...json, 'x-portolan-cost': '1' },
  },
  'too many aliases': `{ ${Array.from({ length: 400 }, (_, i) => `a${i}: chain { chainId }`).join(' ')} }`,
}

const requests: Readonly<Record<string, Request>> = {
  'GET of a document': {
    method: 'GET',
    path: '/graphql?query=%7Bchain%7BchainId%7D%7D',
    headers: { accept: 'application/json' },
  },
  'GET of a mutation': {
    method: 'GET',
    path: '/graphql?query=mutation%7B__typename%7D',
    headers: { accept: 'application/json' },
  },
  'GET of no document': { method: 'GET', headers: { accept: 'application/json' } },
  'GET of variables that are no JSON': {
    method: 'GET',
    path: '/graphql?query=%7B__typename%7D&variables=%7B',
    headers: { accept: 'application/json' },
  },
  GraphiQL: { method: 'GET', headers: { accept: 'text/html' } },
  'a body that is no JSON': { body: '{' },
  'a body that is a list': { body: '[]' },
  'a body that is empty': { body: '' },
  'a body without a document': { body: '{"variables":{}}' },
  'a document that is no text': { body: '{"query":7}' },
  'variables that are a list': { body: JSON.stringify({ query: hello, variables: [] }) },
  'extensions that are a text': { body: JSON.stringify({ query: hello, extensions: 'x' }) },
  'a batch': { body: JSON.stringify([{ query: hello }, { query: hello }]) },
  'a body as text': { body: hello, headers: { 'content-type': 'text/plain' } },
  'a document as its own type': { body: hello, headers: { 'content-type': 'application/graphql' } },
  'a form': { body: 'query=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  'the media type of GraphQL over HTTP': {
    query: hello,
    headers: { ...json, accept: 'application/graphql-response+json' },
  },
  'an error in that media type': {
    query: '{ chainz }',
    headers: { ...json, accept: 'application/graphql-response+json' },
  },
  'a media type that the gateway does not have': {
    query: hello,
    headers: { ...json, accept: 'image/png' },
  },
  'a persisted document that is not known': {
    body: JSON.stringify({
      extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } },
    }),
  },
  'OPTIONS of another origin': {
    method: 'OPTIONS',
    headers: { origin: 'https://wallet.example', 'access-control-request-method': 'POST' },
  },
  'POST of another origin': {
    query: hello,
    headers: { ...json, origin: 'https://wallet.example' },
  },
  DELETE: { method: 'DELETE' },
  'a path that does not exist': {
    method: 'GET',
    path: '/nothing',
    headers: { accept: 'application/json' },
  },
  'the health': { method: 'GET', path: '/health', headers: { accept: 'application/json' } },
  'the readiness': { method: 'GET', path: '/ready', headers: { accept: 'application/json' } },
}

testGolden('refusals', {
  requestsOf: async () =>
    new Map<string, Request>([
      ...Object.entries(documents).map(
        ([name, document]) => [name, typeof document === 'string' ? { query: document } : document] as const,
      ),
      ...Object.entries(requests),
    ]),
})
