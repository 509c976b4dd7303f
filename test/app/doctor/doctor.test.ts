import { expect, test } from 'vitest'
import { type Quirks, type Sandbox, startSandbox } from '../../../packages/sandbox/src/sandbox.ts'
import { examine } from '../../../src/app/doctor/doctor.ts'
import type { Finding } from '../../../src/app/doctor/finding.ts'
import { reportText, works } from '../../../src/app/doctor/report.ts'
import { type Limits, resolveLimits } from '../../../src/engine/limits/limits.ts'
import type { ChainOptions } from '../../../src/engine/network/networkOptions.ts'
import { createDispatcher } from '../../../src/engine/upstream/exchange.ts'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import { systemClock } from '../../../src/kit/clock/clock.ts'
import { testSigner } from '../../support/testSigner.ts'
import { now, youngChains } from '../../support/world.ts'

interface Oddity {
  readonly quirks?: Quirks
  readonly arrange?: (sandbox: Sandbox) => Promise<void> | void
  readonly chain?: Partial<ChainOptions>
  readonly limits?: Partial<Limits>
  readonly now?: number
  /** Examines all chains in place of the EVM chain. */
  readonly all?: boolean
  readonly odd?: boolean
  /** A page that the services send to a browser. */
  readonly page?: { readonly type: string; readonly start: string }
  /** Measures how long requests take. By default, none takes any time. */
  readonly isTimed?: boolean
}

/** Examines the EVM chain of a sandbox, and its router. */
async function reportsOf(oddity: Oddity = {}) {
  const { quirks, all = false, odd = false } = oddity
  const chains = youngChains(60).map((chain) => (quirks ? { ...chain, quirks } : chain))
  await using sandbox = await startSandbox({ clock: () => now, chains, odd })
  await oddity.arrange?.(sandbox)
  const chain = sandbox.indexers.find(({ vm }) => vm === 'evm')
  if (!chain) throw new Error('the sandbox has no EVM chain')
  const limits = resolveLimits(oddity.limits)
  const dispatcher = createDispatcher(limits)
  try {
    return await examine(
      {
        chains: all ? sandbox.indexers : [{ ...chain, ...oddity.chain }],
        router: { url: sandbox.routerUrl },
        prices: { url: sandbox.pricesUrl },
      },
      {
        dispatcher,
        // How long requests take depends on what else the machine does.
        clock: oddity.isTimed ? systemClock : { ...systemClock, now: () => 0 },
        backoff: () => 0,
        cache: new CacheStore(systemClock),
        signer: testSigner,
        limits,
        now: () => oddity.now ?? now,
        peek: async () => ({ date: now, type: '', start: '', ...oddity.page }),
      },
    )
  } finally {
    await dispatcher.destroy()
  }
}

const evm = 'galley-1'
const blocks = '/indexer/block/v1/blocks'
const transactions = '/indexer/tx/v1/txs'

test('the doctor finds nothing odd about the sandbox', async () => {
  const reports = await reportsOf()
  expect(reports.map(({ service }) => service)).toEqual([evm, 'router', 'prices'])
  const odd = reports.flatMap(({ findings }) => findings.filter(({ level }) => level !== 'works'))
  expect(odd).toEqual([])
  const subjects = new Set(reports.flatMap(({ findings }) => findings.map(({ subject }) => subject)))
  expect(subjects.size).toBeGreaterThanOrEqual(14)
  expect(works(reports)).toBe(true)
  const text = reportText(reports)
  expect(text).toMatch(
    /^OK: the gateway can serve this network\.\n\nIndexer of galley-1: (\d+) of \1 checks passed, \d+ requests\nRouter: /,
  )
  expect(text.split('\n').length).toBeLessThanOrEqual(30)
  expect(reportText(reports, true)).toMatch(/ requests\n {2}works {4}It responds/)
})

/** The first page of a list, with its keys and records changed. */
const answerFirstPage =
  (path: string, change: (body: { pagination: { next_key: string | null } }) => unknown) =>
  async (sandbox: Sandbox) => {
    const url = sandbox.indexers.find(({ chainId }) => chainId === evm)?.url
    const response = await fetch(`${url}${path}?pagination.limit=5`)
    const json = change(JSON.parse(await response.text()))
    sandbox.faults.set(evm, `${path}?`, { kind: 'answer', json })
  }

const onIndexer = (prefix: string, fault: Parameters<Sandbox['faults']['set']>[2]) => (sandbox: Sandbox) =>
  sandbox.faults.set(evm, prefix, fault)

const onRouter = (prefix: string, fault: Parameters<Sandbox['faults']['set']>[2]) => (sandbox: Sandbox) =>
  sandbox.faults.set('router', prefix, fault)

const onPrices = (fault: Parameters<Sandbox['faults']['set']>[2]) => (sandbox: Sandbox) =>
  sandbox.faults.set('prices', '/', fault)

type Expected = Pick<Finding, 'level' | 'subject'> & { readonly set?: string; text?: string }

const oddities: [string, Oddity, Expected][] = [
  [
    'opaque page keys',
    { quirks: { opaqueKeys: true } },
    { level: 'limited', subject: 'paging', text: 'cannot be read by the gateway' },
  ],
  [
    'no internal transactions',
    { quirks: { internalTxOff: true } },
    { level: 'limited', subject: 'internal-transactions', text: 'switched off' },
  ],
  [
    'an indexer that fails on a filter',
    { arrange: onIndexer(`${transactions}?msgs=`, { kind: 'status', status: 500, body: 'ambiguous' }) },
    { level: 'limited', subject: 'filter', text: 'those of the chain' },
  ],
  [
    'an indexer without a description',
    { arrange: onIndexer('/swagger', { kind: 'status', status: 404 }) },
    { level: 'limited', subject: 'description', text: 'needs none' },
  ],
  ['no rich list', { quirks: { richListOff: true } }, { level: 'limited', subject: 'rich-list', text: 'no rich list' }],
  [
    'totals that are not counted',
    { quirks: { totals: 'timeout' } },
    { level: 'limited', subject: 'total', text: 'the total -1' },
  ],
  [
    'an indexer that fails',
    { arrange: onIndexer('/', { kind: 'status', status: 503, body: 'no database' }) },
    { level: 'fails', subject: 'reach', text: 'status 503 and said: no database' },
  ],
  [
    'a service of prices that fails',
    { arrange: onPrices({ kind: 'status', status: 503, body: 'maintenance' }) },
    { level: 'fails', subject: 'reach', text: 'Past prices cannot be read: it responded with status 503' },
  ],
  [
    'a service of prices without any',
    { arrange: onPrices({ kind: 'answer', json: { coins: {} } }) },
    { level: 'limited', subject: 'prices', text: 'no price of bitcoin, ethereum, usd-coin' },
  ],
  [
    'an indexer that refuses its key',
    { arrange: onIndexer('/', { kind: 'status', status: 401 }) },
    { level: 'fails', subject: 'reach', text: 'status 401' },
  ],
  ...['401', '403', '429'].flatMap((status): [string, Oddity, Expected][] => [
    [
      `a router that refuses routes with status ${status}`,
      {
        arrange: onRouter('/v2/fungible/route', {
          ...{ kind: 'status', status: Number(status), times: 100 },
          body: '{"message":"missing api key"}',
        }),
      },
      {
        ...{ level: 'fails', subject: 'refused', text: `status ${status}` },
        set:
          status === '429'
            ? 'UPSTREAM_CONCURRENCY=router=4'
            : 'UPSTREAM_HEADERS={"router":{"authorization":"Bearer <key>"}}',
      },
    ],
    [
      `an indexer that refuses one list with status ${status}`,
      {
        arrange: onIndexer('/indexer/nft', { kind: 'status', status: Number(status), times: 100 }),
      },
      { level: 'fails', subject: 'refused', text: `status ${status}` },
    ],
  ]),
  [
    'HTML instead of JSON',
    { page: { type: 'text/html; charset=utf-8', start: '<html>Please log in' } },
    { level: 'fails', subject: 'refused', text: 'begins with "<html>Please log in"' },
  ],
  [
    'a coin of fees without a list of holders, which only the newest block names',
    {
      chain: { feeAssets: [] },
      arrange: onIndexer('/indexer/richlist', { kind: 'status', status: 400, times: 100 }),
    },
    { level: 'limited', subject: 'rich-list', text: 'CHAIN_REGISTRY' },
  ],
  [
    'an indexer that hangs',
    {
      arrange: onIndexer('/', { kind: 'hang' }),
      limits: { upstreamTimeoutMs: 100 },
      isTimed: true,
    },
    { level: 'fails', subject: 'reach', text: 'did not respond in time' },
  ],
  [
    'an indexer that closes connections',
    { arrange: onIndexer('/', { kind: 'reset' }) },
    { level: 'fails', subject: 'reach', text: 'cannot be reached' },
  ],
  [
    'a response that is not JSON',
    { arrange: onIndexer('/', { kind: 'garbage', body: '<html>' }) },
    { level: 'fails', subject: 'reach', text: 'another shape' },
  ],
  [
    'no indexer at the address',
    { arrange: onIndexer('/', { kind: 'status', status: 404 }) },
    { level: 'fails', subject: 'reach', text: 'another service' },
  ],
  [
    'the indexer of another chain',
    { arrange: onIndexer('/status', { kind: 'answer', json: { chain_id: 'x-1', height: '9' } }) },
    { level: 'fails', subject: 'chain', text: 'It indexes x-1, not galley-1.' },
  ],
  [
    'transactions of another shape',
    { arrange: onIndexer(`${transactions}?`, { kind: 'answer', json: { txs: [{}] } }) },
    { level: 'fails', subject: 'shape', text: 'txhash: ' },
  ],
  [
    'no list of blocks',
    { arrange: onIndexer(`${blocks}?`, { kind: 'status', status: 404 }) },
    { level: 'fails', subject: 'shape', text: 'list of blocks is not served' },
  ],
  [
    'page keys that lead nowhere',
    { arrange: answerFirstPage(blocks, (body) => body) },
    { level: 'fails', subject: 'paging', text: 'same records again' },
  ],
  [
    'an order that is ignored',
    { arrange: answerFirstPage(blocks, (body) => body) },
    { level: 'fails', subject: 'order', text: 'ignores pagination.reverse' },
  ],
  [
    'pages without page keys',
    {
      arrange: answerFirstPage(blocks, ({ pagination, ...body }) => ({
        ...body,
        pagination: { ...pagination, next_key: null },
      })),
    },
    { level: 'fails', subject: 'paging', text: 'has no next_key' },
  ],
  [
    'large pages that are refused',
    {
      arrange: onIndexer(`${transactions}?pagination.limit=101`, {
        kind: 'status',
        status: 400,
        body: 'limit must not exceed 100',
      }),
    },
    {
      ...{ level: 'fails', subject: 'shape', text: 'must not exceed 100' },
      set: 'MAX_PAGE_SIZE=<less than the largest limit>',
    },
  ],
  [
    'blocks that cannot be looked up',
    { arrange: onIndexer(`${blocks}/`, { kind: 'status', status: 404 }) },
    { level: 'fails', subject: 'record', text: 'newest block' },
  ],
  [
    'transactions of a block that fail',
    { arrange: onIndexer(`${transactions}/by_height`, { kind: 'status', status: 500 }) },
    { level: 'fails', subject: 'order', text: 'in both orders' },
  ],
  [
    'a count beside a record that cannot be read',
    {
      arrange: onIndexer(`${transactions}/by_height/60?pagination.limit=1&`, {
        kind: 'answer',
        json: { txs: [{}], pagination: { next_key: null, total: '3' } },
      }),
    },
    { level: 'works', subject: 'total', text: 'are counted' },
  ],
  [
    'a wrong virtual machine',
    { chain: { vm: 'move' } },
    { level: 'fails', subject: 'vm', text: 'configured as MOVE', set: 'VM_KINDS=galley-1=evm' },
  ],
  [
    'a chain that stands still, or a wrong clock',
    { now: now + 3_600_000 },
    { level: 'limited', subject: 'clock', text: '60 minutes old' },
  ],
  ['a clock that is behind', { now: now + 90_000 }, { level: 'limited', subject: 'clock', text: '90 s behind' }],
  [
    'a router that fails',
    { arrange: onRouter('/', { kind: 'status', status: 502 }) },
    { level: 'fails', subject: 'reach', text: 'chains of the router' },
  ],
  [
    'a router without chains',
    { arrange: onRouter('/v2/info/chains', { kind: 'answer', json: { chains: [] } }) },
    { level: 'fails', subject: 'reach', text: 'lists no chain' },
  ],
  [
    'a router that does not know a chain',
    {
      arrange: onRouter('/v2/info/chains', {
        kind: 'answer',
        json: { chains: [{ chain_id: 'harbor-1', chain_name: 'Harbor', chain_type: 'cosmos' }] },
      }),
    },
    { level: 'limited', subject: 'chain', text: 'does not know galley-1' },
  ],
  [
    'assets that fail',
    { arrange: onRouter('/v2/fungible/assets', { kind: 'status', status: 500 }) },
    { level: 'fails', subject: 'assets', text: 'assets of galley-1' },
  ],
  [
    'a status that fails',
    { arrange: onRouter('/v2/tx/status', { kind: 'status', status: 500 }) },
    { level: 'fails', subject: 'status', text: 'status 500' },
  ],
  [
    'a route of another shape',
    { arrange: onRouter('/v2/fungible/route', { kind: 'garbage', body: '[]' }) },
    { level: 'fails', subject: 'route', text: 'another shape' },
  ],
]

test.each(oddities)('the doctor finds %s', async (_what, oddity, { text = '', ...expected }) => {
  const reports = await reportsOf(oddity)
  const findings = reports.flatMap(({ findings }) => findings)
  expect(findings).toContainEqual(expect.objectContaining({ ...expected, text: expect.stringContaining(text) }))
  expect(works(reports)).toBe(findings.every(({ level }) => level !== 'fails'))
  for (const { requests } of reports) expect(requests).toBeLessThanOrEqual(40)
})

const zero = `0x${'0'.repeat(64)}`
const burnEvents = {
  evm: {
    key: 'log',
    value: JSON.stringify({
      address: `0x${'ab'.repeat(20)}`,
      topics: [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        `0x${'1'.padStart(64, '0')}`,
        zero,
        `0x${'7'.padStart(64, '0')}`,
      ],
      data: '0x',
    }),
  },
  move: {
    key: 'data',
    value: JSON.stringify({ collection: `0x${'ab'.repeat(20)}`, token_id: '7', nft: '0x1' }),
  },
}

test.each(Object.entries(burnEvents))(
  'the doctor finds an NFT burnt by an event of type %s',
  async (type, attribute) => {
    const arrange = answerFirstPage(transactions, (body) => {
      const { txs, pagination } = body as typeof body & { txs: object[] }
      const events = [{ type, attributes: [{ key: 'type_tag', value: '0x1::collection::BurnEvent' }, attribute] }]
      return { pagination, txs: txs.map((tx) => ({ ...tx, events })) }
    })
    const findings = (await reportsOf({ arrange })).flatMap(({ findings }) => findings)
    expect(findings).toContainEqual(
      expect.objectContaining({
        level: 'limited',
        subject: 'burns',
        text: expect.stringMatching(/^1 of 1 NFTs/),
      }),
    )
  },
)

test('the doctor names what is odd about the default sandbox', async () => {
  const reports = await reportsOf({ all: true })
  const odd = reports.flatMap(({ service, findings }) =>
    findings.filter(({ level }) => level !== 'works').map(({ level, subject }) => `${service} ${level} ${subject}`),
  )
  expect(odd).toEqual(['lantern-1 limited heights', 'lantern-1 limited nft-ids', 'lantern-1 limited burns'])
  expect(works(reports)).toBe(true)
  const ties = reports.flatMap(({ findings }) => findings.filter(({ subject }) => subject === 'ties'))
  expect(ties.map(({ level }) => level)).toEqual(['works', 'works', 'works'])
})

test('the doctor names what is odd about the odd sandbox, and nothing fails', async () => {
  const reports = await reportsOf({ all: true, odd: true })
  const found = (service: string) =>
    reports
      .find((report) => report.service === service)
      ?.findings.filter(({ level }) => level !== 'works')
      .map(({ subject, text }) => `${subject}: ${text}`)
      .join('\n')
  for (const service of ['harbor-1', evm, 'lantern-1']) {
    expect(found(service)).toMatch(/record: \d+ of \d+ transactions cannot be read, and are null/)
    expect(found(service)).toMatch(/record: \d+ of \d+ holders cannot be read/)
    expect(found(service)).toMatch(/heights: \d of the \d+ newest blocks are missing/)
  }
  expect(found('harbor-1')).toMatch(/record: \d+ of \d+ blocks cannot be read/)
  expect(found('harbor-1')).toMatch(/total: .* the total -1/)
  expect(found('lantern-1')).toMatch(/paging: The page keys of blocks cannot be read/)
  expect(found('lantern-1')).toMatch(/ties: Holders of equal amounts come in another order/)
  expect(found('lantern-1')).toMatch(/nft-ids: \d+ of \d+ NFTs have ids .*in a path/)
  expect(found('lantern-1')).toMatch(/burns: \d of 4 NFTs .* do not exist any more/)
  expect(works(reports)).toBe(true)
})
