import type { Request } from './gateway.ts'
import { testGolden } from './golden.ts'

// Upstreams that fail. A fault of one of them never blanks what the others have answered.

const both = `{
  harbor: chain(chainId: "harbor-1") { chainId blocks(first: 2) { nodes { height hash } } }
  galley: chain(chainId: "galley-1") { chainId blocks(first: 2) { nodes { height hash } } }
}`
const withRouter = `{
  chain(chainId: "galley-1") { chainId logoUrl blocks(first: 1) { nodes { height } } }
  asset(chainId: "harbor-1", denom: "uinit") { symbol decimals }
}`
const account = `{ account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") {
  activity(first: 3) { edges { node { __typename } } unavailableChains { chain { chainId } code } }
  balances { count unavailableChains { chain { chainId } } } } }`
const silent = `{ account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") {
  activity(first: 3) { edges { node { __typename } } } balances { count } } }`
const oneBlock = '{ block(chainId: "galley-1", height: 1000) { hash transactions(first: 2) { nodes { hash } } } }'
const transfer = `{ transfer(chainId: "harbor-1", hash: "${'ab'.repeat(32)}") { state } }`

type Faults = NonNullable<Request['faults']>
const galley = (fault: Faults[number][2], prefix = '/'): Faults => [['galley-1', prefix, fault]]
const router = (fault: Faults[number][2], prefix = '/'): Faults => [['router', prefix, fault]]

const faults = {
  'status 500': { kind: 'status', status: 500 },
  'status 429': { kind: 'status', status: 429, headers: { 'retry-after': '60' } },
  'status 404 of a proxy': {
    kind: 'status',
    status: 404,
    body: '<html>',
    contentType: 'text/html',
  },
  'a redirect': { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  'a broken connection': { kind: 'reset' },
  'no answer': { kind: 'hang' },
  HTML: { kind: 'garbage', body: '<html></html>' },
  'half of a body': { kind: 'garbage', body: '{"blocks":[{"' },
  'an empty object': { kind: 'answer', json: {} },
  'a list': { kind: 'answer', json: [] },
  null: { kind: 'answer', json: null },
} as const

const documents = { both, withRouter, account, silent, oneBlock }

testGolden('partial', {
  isAlone: true,
  requestsOf: async () =>
    new Map<string, Request>([
      ...Object.entries(faults).flatMap(([name, fault]) =>
        Object.entries(documents).map(
          ([title, query]) =>
            [`${title}: ${name} of an indexer`, { query, faults: galley(fault), isSlow: true }] as const,
        ),
      ),
      ...Object.entries(faults).flatMap(([name, fault]) =>
        Object.entries({ withRouter, account, silent, transfer }).map(
          ([title, query]) =>
            [`${title}: ${name} of the router`, { query, faults: router(fault), isSlow: true }] as const,
        ),
      ),
    ]),
})
