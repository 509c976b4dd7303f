import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxChains } from '../../../packages/sandbox/src/chains.ts'
import { startRouterWorld } from '../../support/routerWorld.ts'
import { type Answer, startWorld, type World } from '../../support/world.ts'

// A list or a sum over several chains that lacks one says so: by the field that names the missing chains, or, if a client
// does not select that field, by an error beside the data.

const traveller = 'init18r8wax2mksax5qe49mfsle6269m35fnhfctxg5'
const down = { kind: 'status', status: 503, body: '' } as const
const missing = [{ chainId: 'lantern-1', code: 'UPSTREAM_UNAVAILABLE' }]

let world: World

beforeEach(async () => {
  world = await startWorld({ chains: sandboxChains })
})
afterEach(() => world[Symbol.asyncDispose]())

/** The path, the code and the extensions of the errors of an answer, which the tests are about. */
const reported = ({ errors = [] }: Answer) =>
  errors.map(({ path, extensions }) => ({ path, ...extensions, requestId: undefined }))

const report = (...path: string[]) => ({
  path,
  code: 'UPSTREAM_UNAVAILABLE',
  service: 'lantern-1',
  unavailableChains: missing,
})

describe('a list that lacks a chain has its rows, and an error that names the chain', () => {
  const rows = 'edges { chain { chainId } } pageInfo { hasNextPage }'
  test.each([
    ['activity', `activity(first: 30) { ${rows} }`],
    ['bridgeTransfers', `bridgeTransfers(first: 30) { ${rows} }`],
    ['nfts', `nfts(first: 30) { ${rows} }`],
  ])('%s', async (name, field) => {
    const document = `{ account(address: "${traveller}") { ${field} } }`
    const whole = await world.ask(document)
    expect(whole.errors).toBeUndefined()
    world.sandbox.faults.set('lantern-1', '/', down)
    const answer = await world.ask(document)
    const chains = answer.data.account[name].edges.map(({ chain }: { chain: { chainId: string } }) => chain.chainId)
    if (name !== 'nfts') expect(new Set(chains)).toEqual(new Set(['galley-1', 'harbor-1']))
    expect(reported(answer)).toEqual([report('account', name)])
    expect(answer.errors?.[0]?.message).toContain('Data of lantern-1 is missing.')
    expect(answer.errors?.[0]).toHaveProperty('locations')
  })

  test('search', async () => {
    world.sandbox.faults.set('lantern-1', '/', down)
    const answer = await world.ask('{ search(text: "57") { results { chain { chainId } } } }')
    expect(answer.data.search.results.length).toBeGreaterThan(0)
    expect(reported(answer)).toEqual([report('search')])
  })
})

test('balances without a router have an error that names all chains', async () => {
  world.sandbox.faults.set('router', '/', down)
  const answer = await world.ask(`{ account(address: "${traveller}") { balances { count usdValue } } }`)
  expect(answer.data.account.balances).toEqual({ count: 0, usdValue: null })
  const unavailableChains = ['galley-1', 'harbor-1', 'lantern-1'].map((chainId) => ({
    chainId,
    code: 'UPSTREAM_UNAVAILABLE',
  }))
  expect(reported(answer)).toEqual([
    { path: ['account', 'balances'], code: 'UPSTREAM_UNAVAILABLE', service: 'router', unavailableChains },
  ])
})

test('a search without the router says so, unless it asks', async () => {
  world.sandbox.faults.set('router', '/', down)
  const answer = await world.ask('{ search(text: "galley") { results { match } } }')
  expect(answer.data.search.results.length).toBeGreaterThan(0)
  expect(reported(answer)).toEqual([{ path: ['search'], code: 'UPSTREAM_UNAVAILABLE', service: 'router' }])
  const asking = await world.ask('{ search(text: "galley") { isRouterUnavailable } }')
  expect(asking).toEqual({ data: { search: { isRouterUnavailable: true } } })
})

test('a hash that the router could not be asked for is reported', async () => {
  world.sandbox.faults.set('router', '/', down)
  const answer = await world.ask(`{ search(text: "${'ab'.repeat(32)}") { results { match } } }`)
  expect(answer.data.search.results).toEqual([])
  expect(reported(answer)).toEqual([{ path: ['search'], code: 'UPSTREAM_UNAVAILABLE', service: 'router' }])
})

describe('who selects the names of the missing chains gets no error', () => {
  const fragment = 'fragment Lacks on AccountActivityConnection { lacks: unavailableChains { chainId } }'
  test.each([
    ['directly', '', 'unavailableChains { chainId }', {}],
    ['in a fragment', fragment, '...Lacks', {}],
    ['in an inline fragment', '', '... on AccountActivityConnection { unavailableChains { chainId } }', {}],
    ['if a variable includes it', '', 'unavailableChains @include(if: $is) { chainId }', { is: true }],
    ['unless a variable skips it', '', 'unavailableChains @skip(if: $is) { chainId }', { is: false }],
  ])('%s', async (_, definition, selection, variables) => {
    world.sandbox.faults.set('lantern-1', '/', down)
    const head = 'is' in variables ? 'query ($is: Boolean!)' : 'query'
    const document = `${head} { account(address: "${traveller}") { activity(first: 3) { nodes { __typename } ${selection} } } } ${definition}`
    const { data, errors } = await world.ask(document, variables)
    expect(errors).toBeUndefined()
    const { lacks, unavailableChains } = data.account.activity
    expect(lacks ?? unavailableChains).toEqual([{ chainId: 'lantern-1' }])
    if (!('is' in variables)) return
    const other = await world.ask(document, { is: !variables.is })
    expect(reported(other)).toEqual([report('account', 'activity')])
  })

  test('and each alias of a list is asked for itself', async () => {
    world.sandbox.faults.set('lantern-1', '/', down)
    const answer = await world.ask(`{ account(address: "${traveller}") {
      a: activity(first: 3) { nodes { __typename } }
      b: activity(first: 3) { nodes { __typename } unavailableChains { chainId } }
      c: activity(first: 2) { pageInfo { hasNextPage } }
    } }`)
    expect(answer.data.account.a.nodes).toHaveLength(3)
    expect(reported(answer).toSorted((x, y) => String(x.path).localeCompare(String(y.path)))).toEqual([
      report('account', 'a'),
      report('account', 'c'),
    ])
  })
})

test('a page that waits for a chain says so on each page, until the chain is back', async () => {
  const document = `query ($after: String) { account(address: "${traveller}") {
    activity(first: 3, after: $after, whileUnavailable: HOLD_BACK) { nodes { __typename } pageInfo { endCursor hasNextPage } } } }`
  world.sandbox.faults.set('lantern-1', '/', down)
  let after: string | undefined
  for (const _ of [1, 2, 3]) {
    const answer = await world.ask(document, { after })
    expect(answer.data.account.activity.pageInfo.hasNextPage).toBe(true)
    expect(reported(answer)).toEqual([report('account', 'activity')])
    after = answer.data.account.activity.pageInfo.endCursor
  }
  world.sandbox.faults.clear()
  const whole = await world.ask(document, { after })
  expect(whole.errors).toBeUndefined()
  expect(whole.data.account.activity.nodes).toHaveLength(3)
})

test('chains that fail in different ways are one error, with the code of each', async () => {
  world.sandbox.faults.set('lantern-1', '/', { kind: 'garbage', body: '<html></html>' })
  world.sandbox.faults.set('galley-1', '/', down)
  const answer = await world.ask(`{ account(address: "${traveller}") { activity(first: 3) { nodes { __typename } } } }`)
  expect(reported(answer)).toEqual([
    {
      path: ['account', 'activity'],
      // A fault that passes comes before one that stays.
      code: 'UPSTREAM_UNAVAILABLE',
      unavailableChains: [
        { chainId: 'galley-1', code: 'UPSTREAM_UNAVAILABLE' },
        { chainId: 'lantern-1', code: 'UPSTREAM_INVALID_RESPONSE' },
      ],
    },
  ])
})

test('more than a hundred such lists are at most a hundred errors, and the last counts the rest', async () => {
  world.sandbox.faults.set('router', '/', down)
  const fields = Array.from({ length: 105 }, (_, i) => `b${i}: balances(chainIds: ["harbor-1"]) { count }`)
  const { errors = [] } = await world.ask(`{ account(address: "${traveller}") { ${fields.join(' ')} } }`)
  expect(errors).toHaveLength(100)
  expect(errors.at(-1)?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', count: 6 })
})

test.each(['count', 'count unavailableChains { code }'])(
  'an answer with a gap is never sent again: %s',
  async (selection) => {
    // Nothing is read for it, so nothing else says that it can change.
    await using bare = await startWorld({ isBare: true })
    const document = `{ account(address: "${traveller}") { balances { ${selection} } } }`
    const [first, second] = [await bare.ask(document), await bare.ask(document)]
    expect(second.data).toEqual(first.data)
    if (selection === 'count') {
      expect(reported(second)).toMatchObject([{ path: ['account', 'balances'], code: 'NOT_CONFIGURED' }])
    }
    const metrics = await (await fetch(new URL('/metrics', bare.url))).text()
    expect(metrics).not.toMatch(/^portolan_cache_hits_total\{cache="answers"\} [1-9]/m)
  },
)

describe('events of the balances', () => {
  const startBalances = async (selection: string) => {
    const live = await startRouterWorld({ chains: sandboxChains })
    live.sandbox.faults.set('router', '/v2/info/balances', down)
    const { url } = live
    // The errors of an event are beside its data.
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: `subscription { balances(address: "${traveller}") { ${selection} } }` }),
    })
    return { live, events: readEvents(response) }
  }

  test.each([
    ['balances { count }', ['balances', 'balances']],
    ['changed { amount }', ['balances']],
    ['balances { count unavailableChains { chainId } } changed { amount }', undefined],
  ])('%s', async (selection, path) => {
    const { live, events } = await startBalances(selection)
    await using _ = live
    const next = events.next()
    await live.clock.advance(2_000)
    const { value } = await next
    if (path === undefined) expect(value.errors).toBeUndefined()
    else expect(reported(value)).toMatchObject([{ path, code: 'UPSTREAM_UNAVAILABLE', service: 'router' }])
    expect(value.data.balances).not.toBeNull()
    await events.return?.(undefined)
  })
})

/** The results in a stream of server-sent events. */
async function* readEvents(response: Response): AsyncGenerator<Answer> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = text.slice(0, end).match(/^data: (.+)$/m)?.[1]
      text = text.slice(end + 2)
      if (data) yield JSON.parse(data) as Answer
    }
  }
}
