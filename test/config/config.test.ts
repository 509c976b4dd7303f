import { expect, test } from 'vitest'
import { createMemoryCacheStore } from '../../src/cache/cache.ts'
import { systemClock } from '../../src/clock/clock.ts'
import { networkOptions, readChains } from '../../src/config/chains.ts'
import { readCommand } from '../../src/config/commandLine.ts'
import { help } from '../../src/config/help.ts'
import { limitNames, limitOf, resolveLimits } from '../../src/config/limits.ts'
import { openNetwork } from '../../src/config/openNetwork.ts'
import { settingNames, settingOf } from '../../src/config/settings.ts'
import { createDispatcher } from '../../src/upstream/httpAgent.ts'

const sandboxIds = ['harbor-1', 'galley-1']

/** A parsed configuration and its problems. */
async function read(
  line: string,
  env: Record<string, string> = {},
  files: Record<string, string> = {},
) {
  const problems: string[] = []
  const command = readCommand(line.split(' ').filter(Boolean), env, problems)
  const none = { settings: undefined, entries: [], warnings: [] }
  if (!('settings' in command)) return { command, problems, ...none }
  const readText = async (source: string) => {
    const text = files[source]
    if (text === undefined) throw new Error(`no such file, ${source}`)
    return text
  }
  const chains = await readChains(command, { sandboxIds, readText, problems })
  return { command, problems, settings: command.settings, ...chains }
}

test('without settings, the sandbox is served on this machine only', async () => {
  const { command, settings, problems } = await read('')
  expect(problems).toEqual([])
  expect(command).toMatchObject({ run: 'serve', sandbox: true })
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    logLevel: 'info',
    graphiql: true,
    introspection: true,
    compileOperations: true,
    allowedOrigins: '*',
    signingKeys: undefined,
  })
})

test('flags take precedence over variables', async () => {
  const env = { PORT: '1', HOST: '::1', INDEXERS: 'a-1=http://a', GRAPHIQL: 'false', LOG_LEVEL: '' }
  const { command, settings } = await read('--port=2 --indexers b-1=http://b/v1/', env)
  expect(command).toMatchObject({ run: 'serve', sandbox: false })
  expect(settings).toMatchObject({ port: 2, host: '::1', graphiql: false, logLevel: 'info' })
  expect([...(settings?.indexers ?? [])]).toEqual([['b-1', { url: 'http://b/v1', headers: {} }]])
})

test('--sandbox takes precedence over INDEXERS', async () => {
  const { command, problems } = await read('--sandbox', { INDEXERS: 'a-1=http://a' })
  expect(command).toMatchObject({ sandbox: true })
  expect(problems).toEqual([])
})

test.each([
  ['', 'serve'],
  ['serve', 'serve'],
  ['sandbox', 'sandbox'],
  ['schema', 'schema'],
  ['--help', 'help'],
  ['sandbox -h', 'help'],
  ['--version', 'version'],
])('`portolan %s` runs %s', async (line, run) => {
  expect((await read(line)).command.run).toBe(run)
})

const problemTable: [string, string, Record<string, string>, string][] = [
  ['a port that is no number', '--port http', {}, '--port must be a whole number from 0 to 65535'],
  [
    'a port that is none',
    '',
    { PORT: '65536' },
    "PORT must be a whole number from 0 to 65535, not '65536'.",
  ],
  ['an unknown flag', '--prot 1', {}, 'Unknown flag --prot.'],
  ['a flag named like a built-in property', '--constructor=1', {}, 'Unknown flag --constructor.'],
  ['an unknown command', 'start', {}, "Unknown command 'start'. Commands: serve, sandbox, schema."],
  ['two commands', 'serve sandbox', {}, "Unexpected argument 'sandbox'."],
  ['a flag without its value', '--port', {}, '--port needs a value.'],
  ['a switch with a value', '--sandbox=yes', {}, '--sandbox takes no value.'],
  [
    'two networks at once',
    '--sandbox --indexers a-1=http://a',
    {},
    '--sandbox cannot be combined with --indexers.',
  ],
  [
    'an indexer without a chain',
    '',
    { INDEXERS: 'http://a' },
    'INDEXERS must be a comma-separated list of chainId=value.',
  ],
  [
    'an indexer with an empty chain',
    '',
    { INDEXERS: '=http://a' },
    "INDEXERS names '', which is not a valid chain id.",
  ],
  [
    'a chain called router',
    '',
    { INDEXERS: 'router=http://a' },
    "INDEXERS names 'router', which is not a valid chain id.",
  ],
  ['a chain twice', '', { INDEXERS: 'a-1=http://a,a-1=http://b' }, 'INDEXERS names a-1 twice.'],
  ['an indexer that is no URL', '', { INDEXERS: 'a-1=a' }, 'INDEXERS for a-1 must be a URL'],
  [
    'another scheme',
    '',
    { INDEXERS: 'a-1=file:///etc/passwd' },
    'INDEXERS for a-1 must start with http:// or https://.',
  ],
  [
    'a query',
    '',
    { ROUTER_URL: 'https://r/v1?key=1' },
    'ROUTER_URL must not have a query (?) or a fragment (#).',
  ],
  [
    'a fragment',
    '',
    { ROUTER_URL: 'https://r/v1#' },
    'ROUTER_URL must not have a query (?) or a fragment (#).',
  ],
  [
    'a default chain that is not served',
    '',
    { INDEXERS: 'a-1=http://a', DEFAULT_CHAIN: 'b-1' },
    'DEFAULT_CHAIN names b-1, which is not served. Served: a-1.',
  ],
  [
    'a default chain the sandbox has not',
    '',
    { DEFAULT_CHAIN: 'b-1' },
    'DEFAULT_CHAIN names b-1, which is not served. Served: harbor-1, galley-1.',
  ],
  [
    'a kind that is none',
    '',
    { INDEXERS: 'a-1=http://a', VM_KINDS: 'a-1=svm' },
    'VM_KINDS for a-1 must be evm, move or wasm',
  ],
  [
    'a kind of no chain',
    '',
    { INDEXERS: 'a-1=http://a', VM_KINDS: 'b-1=evm' },
    'VM_KINDS names b-1, which is not served',
  ],
  [
    'headers that are no JSON',
    '',
    { UPSTREAM_HEADERS: '{' },
    'UPSTREAM_HEADERS must be JSON such as',
  ],
  [
    'headers of another shape',
    '',
    { UPSTREAM_HEADERS: '{"harbor-1":"x"}' },
    'UPSTREAM_HEADERS must be JSON such as',
  ],
  [
    'a header that breaks connections',
    '',
    { UPSTREAM_HEADERS: '{"harbor-1":{"Host":"x"}}' },
    "UPSTREAM_HEADERS has an invalid header 'Host'.",
  ],
  [
    'a header of two lines',
    '',
    { UPSTREAM_HEADERS: '{"harbor-1":{"a":"b\\nc"}}' },
    "UPSTREAM_HEADERS has an invalid header 'a'.",
  ],
  [
    'headers for no chain',
    '',
    { UPSTREAM_HEADERS: '{"b-1":{"a":"b"}}' },
    'UPSTREAM_HEADERS names b-1, which is not served',
  ],
  [
    'headers for no router',
    '',
    { INDEXERS: 'a-1=http://a', UPSTREAM_HEADERS: '{"router":{"a":"b"}}' },
    'UPSTREAM_HEADERS names the router, but ROUTER_URL is not set.',
  ],
  ['a level that is none', '', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be trace'],
  [
    'neither true nor false',
    '',
    { INTROSPECTION: 'no' },
    "INTROSPECTION must be true or false, not 'no'.",
  ],
  [
    'an origin with a path',
    '',
    { ALLOWED_ORIGINS: 'https://a.example/' },
    "ALLOWED_ORIGINS has 'https://a.example/', which is not an origin",
  ],
  [
    'a registry that is not there',
    '',
    { CHAIN_REGISTRY: 'x.json' },
    'CHAIN_REGISTRY could not be read: no such file, x.json.',
  ],
  [
    'a registry of another shape',
    '',
    { CHAIN_REGISTRY: 'no.json' },
    'CHAIN_REGISTRY is not a chain registry',
  ],
  ['a registry of text', '', { CHAIN_REGISTRY: 'text' }, 'CHAIN_REGISTRY is not a chain registry'],
  [
    'a registry without chains',
    '',
    { CHAIN_REGISTRY: 'empty.json' },
    'CHAIN_REGISTRY lists no chain with an indexer.',
  ],
]

const files = { 'no.json': '{"hello":1}', text: '<html>', 'empty.json': '[]' }

test.each(problemTable)('%s is reported', async (_what, line, env, message) => {
  const { problems } = await read(line, env, files)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(message)
  expect(problems[0]).toMatch(/[.?]$/)
})

test('all problems are reported at once, without secrets', async () => {
  const { problems } = await read('--nope', {
    PORT: 'x',
    INDEXERS: 'a-1=http://me:secret@a?,a-1',
    ROUTER_URL: 'ftp://me:secret@r',
    UPSTREAM_HEADERS: '{"a-1":{"key":"secret\\n"}}',
    CHAIN_REGISTRY: 'x.json',
  })
  expect(problems).toHaveLength(7)
  expect(problems.join()).not.toContain('secret')
})

// biome-ignore lint/suspicious/noTemplateCurlyInString: the registry's own placeholder
const txPage = 'https://scan/txs/${txHash}'

const registry = {
  chains: [
    {
      chain_id: 'hub-1',
      pretty_name: 'Hub',
      bech32_prefix: 'init',
      apis: { indexer: [{ address: 'https://hub.example/indexer/' }, { address: 'https://b' }] },
      logo_URIs: { png: 'https://logo/hub.png' },
      explorers: [{ kind: 'scan', tx_page: txPage }],
      fees: { fee_tokens: [{ denom: 'uinit' }] },
      metadata: { is_l1: true },
    },
    { chain_id: 'silent-1' },
    { pretty_name: 'nobody' },
    { chain_id: 'odd-1', apis: { indexer: [{ address: 'ftp://x' }] } },
    {
      chain_id: 'roll-1',
      bech32_prefix: 7,
      explorers: 'none',
      apis: { indexer: [{ address: 'https://roll.example' }] },
      metadata: { minitia: { type: 'minievm' } },
    },
  ],
}

test('a registry describes its chains, and chains without an indexer are skipped', async () => {
  const env = { CHAIN_REGISTRY: 'chains.json', INDEXERS: 'silent-1=http://s,own-1=http://own' }
  const { entries, warnings, problems } = await read('', env, {
    'chains.json': JSON.stringify(registry),
  })
  expect(problems).toEqual([])
  expect(entries[0]).toEqual({
    chainId: 'hub-1',
    name: 'Hub',
    vm: 'move',
    bech32Prefix: 'init',
    logoUrl: 'https://logo/hub.png',
    explorers: [{ name: 'scan', transactionPage: txPage, accountPage: null }],
    feeDenoms: ['uinit'],
    url: 'https://hub.example/indexer',
    headers: {},
  })
  expect(entries.map(({ chainId, vm, name }) => [chainId, vm, name])).toEqual([
    ['hub-1', 'move', 'Hub'],
    ['silent-1', undefined, undefined],
    ['roll-1', 'evm', undefined],
    ['own-1', undefined, undefined],
  ])
  expect(warnings).toHaveLength(3)
})

test.each([
  ['a list', [registry.chains[0]]],
  ['one chain', registry.chains[0]],
])('a registry may be %s', async (_what, body) => {
  const files = { 'chains.json': JSON.stringify(body) }
  const { entries } = await read('--chain-registry chains.json', {}, files)
  expect(entries.map(({ chainId }) => chainId)).toEqual(['hub-1'])
})

test('a registry may be one chain alone, saved with a byte order mark', async () => {
  const text = '\ufeff{"chain_id":"a-1","apis":{"indexer":[{"address":"http://a"}]}}'
  const { entries, problems } = await read('', { CHAIN_REGISTRY: 'one.json' }, { 'one.json': text })
  expect(problems).toEqual([])
  expect(entries).toMatchObject([{ chainId: 'a-1', url: 'http://a' }])
})

test('the network has the configured chains, headers and virtual machines', async () => {
  const dispatcher = createDispatcher(resolveLimits())
  const { settings, entries } = await read('', {
    INDEXERS: 'a-1=http://me:pass@a,b-1=http://b',
    VM_KINDS: 'b-1=wasm',
    DEFAULT_CHAIN: 'b-1',
    ROUTER_URL: 'http://r',
  })
  if (!settings) throw new Error('it is not a network')
  expect(entries[0]?.headers).toEqual({ authorization: `Basic ${btoa('me:pass')}` })
  const services = { chains: entries, router: settings.routerUrl }
  const network = openNetwork(networkOptions(settings, services), resolveLimits(), {
    dispatcher,
    clock: systemClock,
    cache: createMemoryCacheStore(systemClock),
  })
  expect([...network.chains.keys()]).toEqual(['a-1', 'b-1'])
  expect(network.defaultChain).toMatchObject({ chainId: 'b-1', vm: 'WASM' })
  expect(network.router?.service).toBe('router')
  await dispatcher.destroy()
})

test('the help names every flag and variable', () => {
  for (const name of [...settingNames, ...limitNames]) {
    expect(help).toContain(`--${settingOf(name).flag} `)
    expect(help).toContain(settingOf(name).env)
  }
})

test('limits are set by flags and variables, and keep their defaults otherwise', async () => {
  const { settings, problems } = await read('--max-page-size 50', { MAX_COST: '500' })
  expect(problems).toEqual([])
  expect(settings?.limits).toEqual({ ...resolveLimits(), maxPageSize: 50, maxCost: 500 })
})

test.each(limitNames.map((name) => ({ name, ...limitOf(name) })))(
  '$env takes a whole number from $min to $max and nothing else',
  async ({ env, min, max }) => {
    const message = `${env} must be a whole number from ${min} to ${max}.`
    for (const text of [`${min - 1}`, `${max + 1}`, '1.5', '1e3x', '-1', 'many']) {
      expect((await read('', { [env]: text })).problems).toContain(message)
    }
    for (const text of [`${min}`, `${max}`]) {
      expect((await read('', { [env]: text })).problems).not.toContain(message)
    }
  },
)

test('the default page size cannot exceed the largest one', async () => {
  const { problems } = await read('--max-page-size 10', {})
  expect(problems).toEqual(['DEFAULT_PAGE_SIZE must not exceed --max-page-size.'])
  expect(() => resolveLimits({ maxPageSize: 10 })).toThrow(
    'limits.defaultPageSize must not exceed limits.maxPageSize.',
  )
})
