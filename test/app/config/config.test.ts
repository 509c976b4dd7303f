import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { networkOptions, readChains } from '../../../src/app/config/chains.ts'
import { readCommand } from '../../../src/app/config/commandLine.ts'
import { help, wholeHelp } from '../../../src/app/config/help.ts'
import { allNames, settingNames, settingOf } from '../../../src/app/config/settings/settings.ts'
import { limitNames, limitOf, resolveLimits } from '../../../src/engine/limits/limits.ts'
import { openNetwork } from '../../../src/engine/network/openNetwork.ts'
import { createDispatcher } from '../../../src/engine/upstream/exchange.ts'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import { systemClock } from '../../../src/kit/clock/clock.ts'

const operating = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'operating', 'settings.md'), 'utf8')

const sandboxIds = ['harbor-1', 'galley-1']

/** A parsed configuration and its problems. */
async function read(line: string, env: Record<string, string> = {}, files: Record<string, string> = {}) {
  const problems: string[] = []
  const readFile = (source: string) => {
    const text = files[source]
    if (text === undefined) throw new Error(`no such file, ${source}`)
    return text
  }
  const command = readCommand(line.split(' ').filter(Boolean), { env, readFile, problems })
  const none = { settings: undefined, entries: [], listed: [], warnings: [] }
  if (!('settings' in command)) return { command, problems, ...none }
  const readText = async (source: string) => readFile(source)
  const chains = await readChains(command, { sandboxIds, readText, problems })
  return { command, problems, settings: command.settings, ...chains }
}

test.each([
  ['serve', {}],
  ['--port 1', {}],
  ['', { ROUTER_URL: 'http://r' }],
])('`portolan %s` without chains is a problem that names INDEXERS', async (line, env) => {
  const { problems } = await read(line, env)
  expect(problems).toEqual([
    'No chain is configured. Set INDEXERS (chainId=url,...) or CHAIN_REGISTRY. ' +
      'To try Portolan on a simulated network, set SANDBOX=true or pass --sandbox.',
  ])
})

test.each([
  ['--indexer a-1=http://a', 'Unknown flag --indexer. Did you mean --indexers?'],
  ['sandox', "Unknown command 'sandox'. Commands: serve, sandbox, schema, doctor, mcp."],
])('`portolan %s` reports only the misspelt word', async (line, problem) => {
  expect((await read(line)).problems).toEqual([problem])
})

test('--sandbox-by-default serves the sandbox only without configured chains', async () => {
  const line = '--sandbox-by-default'
  expect((await read(line)).command).toMatchObject({ sandbox: true })
  const configured = await read(line, { INDEXERS: 'a-1=http://a' })
  expect(configured.command).toMatchObject({ sandbox: false })
  expect(configured.problems).toEqual([])
  const empty = await read(line, { INDEXERS: '' })
  expect(empty.problems).toEqual(['INDEXERS is empty. Set a value, or remove it.'])
})

test('the sandbox is served on 127.0.0.1 by default', async () => {
  const { command, settings, problems } = await read('--sandbox')
  expect(problems).toEqual([])
  expect(command).toMatchObject({ run: 'serve', sandbox: true })
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    logLevel: 'info',
    pages: { graphiql: true, explorer: true, docs: true },
    introspection: true,
    allowedOrigins: '*',
    signingKeys: undefined,
    trustedProxies: undefined,
    apiKeys: undefined,
    requireApiKey: false,
    trustedDocuments: undefined,
    trustedDocumentsOnly: false,
    rateLimit: undefined,
  })
})

test('flags take precedence over variables', async () => {
  const env = { PORT: '1', HOST: '::1', INDEXERS: 'a-1=http://a', PAGES: 'docs' }
  const { command, settings } = await read('--port=2 --indexers b-1=http://b/v1/', env)
  expect(command).toMatchObject({ run: 'serve', sandbox: false })
  expect(settings).toMatchObject({
    port: 2,
    host: '::1',
    pages: { graphiql: false, explorer: false, docs: true },
    logLevel: 'info',
  })
  expect([...(settings?.indexers ?? [])]).toEqual([['b-1', { url: 'http://b/v1', headers: {} }]])
})

test.each<[string, Record<string, string>, boolean]>([
  ['', { SANDBOX: 'true' }, true],
  ['serve', { SANDBOX: 'true' }, true],
  ['--config sandbox.json', {}, true],
  ['--sandbox serve', {}, true],
  ['--sandbox', { INDEXERS: 'a-1=http://a' }, true],
  ['--indexers a-1=http://a', { SANDBOX: 'true' }, false],
  ['--config sandbox.json', { INDEXERS: 'a-1=http://a' }, false],
  ['--config chains.json', { SANDBOX: 'true' }, true],
  ['--sandbox=false', { SANDBOX: 'true', INDEXERS: 'a-1=http://a' }, false],
  ['', { SANDBOX: 'odd' }, true],
  ['--indexers a-1=http://a', { SANDBOX: 'odd' }, false],
  ['', { SANDBOX: 'false', INDEXERS: 'a-1=http://a' }, false],
  // As `npm start` is, with its arguments after it.
  ['--sandbox-by-default', { SANDBOX: 'true' }, true],
  ['--sandbox-by-default --indexers a-1=http://a', {}, false],
  ['--sandbox-by-default --config chains.json', {}, false],
  ['--sandbox-by-default', { INDEXERS: 'a-1=http://a' }, false],
])('`portolan %s` with %j serves the sandbox: %s', async (line, env, sandbox) => {
  const files = { 'sandbox.json': '{"sandbox":true}', 'chains.json': '{"upstreams":{"a-1":{"url":"http://a"}}}' }
  const { command, problems } = await read(line, env, files)
  expect(problems).toEqual([])
  expect(command).toMatchObject({ run: 'serve', sandbox })
})

test.each([
  ['--sandbox odd', true, 'odd'],
  ['--sandbox=odd --port 1', true, 'odd'],
  ['--port 1 --sandbox', true, true],
  ['sandbox --sandbox odd', true, 'odd'],
  ['--indexers a-1=http://a --sandbox=false', false, false],
])('`portolan %s` serves the sandbox: %s, of the kind %s', async (line, sandbox, kind) => {
  const { command, settings, problems } = await read(line)
  expect(problems).toEqual([])
  expect(command).toMatchObject({ sandbox })
  expect(settings).toMatchObject({ sandbox: kind })
})

test.each([
  ['--introspection --port 1', []],
  ['--sandbox --introspection no', ["--introspection must be true or false, not 'no'."]],
  ['--mcp --port 1', []],
  ['--mcp query', []],
  ['--mcp queries', ["--mcp must be true, false or query, not 'queries'."]],
  ['--pages none', []],
  ['--pages docs,graphql', ["--pages has 'graphql', which is not graphiql, explorer, docs or none."]],
  ['--sandbox odd --indexers a-1=http://a', ['The sandbox cannot be combined with --indexers.']],
])('`portolan %s` has the problems %j', async (line, expected) => {
  const { problems } = await read(`${line}${line.includes('sandbox') ? '' : ' --sandbox'}`)
  expect(problems).toEqual(expected)
})

test.each([
  ['--sandbox', 'serve'],
  ['serve --sandbox', 'serve'],
  ['sandbox', 'sandbox'],
  ['schema', 'schema'],
  ['--help', 'help'],
  ['sandbox -h', 'help'],
  ['--version', 'version'],
])('`portolan %s` runs %s', async (line, run) => {
  expect((await read(line)).command.run).toBe(run)
})

const problemTable: [string, string, Record<string, string>, string][] = [
  ['a port that is not a number', '--port http', {}, '--port must be a whole number from 0 to 65535'],
  ['an invalid port', '', { PORT: '65536' }, "PORT must be a whole number from 0 to 65535, not '65536'."],
  ['an unknown flag', '--prot 1', {}, 'Unknown flag --prot. Did you mean --port?'],
  ['a flag given twice', '--port 1 --port 2', {}, '--port is given twice.'],
  ['an empty variable', '', { LOG_LEVEL: ' ' }, 'LOG_LEVEL is empty. Set a value, or remove it.'],
  ['an empty limit', '', { MAX_COST: '' }, 'MAX_COST is empty. Set a value, or remove it.'],
  ['an empty file variable', '', { INDEXERS_FILE: '' }, 'INDEXERS_FILE is empty.'],
  ['an empty file', '', { ROUTER_URL_FILE: 'blank' }, 'ROUTER_URL_FILE is empty.'],
  ['a file that is not there', '', { ROUTER_URL_FILE: 'x' }, 'ROUTER_URL_FILE could not be read'],
  [
    'a variable and its file',
    '',
    { ROUTER_URL: 'http://r', ROUTER_URL_FILE: 'url' },
    'ROUTER_URL and ROUTER_URL_FILE are both set. Set only one of them.',
  ],
  [
    'a timeout out of bounds',
    '',
    { UPSTREAM_TIMEOUTS: 'harbor-1=5' },
    'UPSTREAM_TIMEOUTS for harbor-1 must be a whole number from 100 to 120000',
  ],
  [
    'a timeout of an unknown service',
    '',
    { UPSTREAM_TIMEOUTS: 'a chain=500' },
    "UPSTREAM_TIMEOUTS names 'a chain', which is not a chain id, router or prices",
  ],
  [
    'a concurrency of an unknown chain',
    '',
    { UPSTREAM_CONCURRENCY: 'b-1=5' },
    'UPSTREAM_CONCURRENCY names b-1, which is not served.',
  ],
  ['a missing configuration file', '--config x.json', {}, 'x.json could not be read: no such file, x.json.'],
  ['a configuration file that is not JSON', '--config text', {}, 'text is not JSON: InvalidSymbol in line 1.'],
  ['a configuration file of a list', '--config empty.json', {}, 'empty.json must be an object.'],
  ['an unknown key', '--config typo.json', {}, 'typo.json has the unknown key maxPagSize. Did you mean maxPageSize?'],
  [
    'an unknown key of an upstream',
    '--config typo2.json',
    {},
    'typo2.json has the unknown key upstreams.a-1.timeoutM. Did you mean timeoutMs?',
  ],
  [
    'a setting at the top level and in upstreams',
    '--config twice.json',
    {},
    'twice.json has indexers, and the same in upstreams. Set only one of them.',
  ],
  [
    'an indexer that is a number',
    '--config number.json',
    {},
    'number.json: indexers for a-1 must be a URL such as https://indexer.example/v1.',
  ],
  ['a limit of another type', '--config limit.json', {}, 'limit.json: maxCost must be'],
  [
    'a value of another type',
    '--config type.json',
    {},
    "type.json: port must be a whole number from 0 to 65535, not 'true'.",
  ],
  ['an empty list', '--config list.json', {}, 'list.json: allowedOrigins is empty. Set a value,'],
  ['a faulty value', '--config value.json', {}, "value.json: port must be a whole number from 0 to 65535, not 'x'."],
  ['a flag named like a built-in property', '--constructor=1', {}, 'Unknown flag --constructor.'],
  ['an unknown command', 'start', {}, "Unknown command 'start'. Commands: serve, sandbox, schema, doctor, mcp."],
  ['two commands', 'serve sandbox', {}, "Unexpected argument 'sandbox'."],
  ['a flag without its value', '--port', {}, '--port needs a value.'],
  ['a switch with a value', '--sandbox-by-default=yes', {}, '--sandbox-by-default takes no value.'],
  ['two networks at once', '--sandbox --indexers a-1=http://a', {}, 'The sandbox cannot be combined with --indexers.'],
  [
    'two networks in variables',
    '',
    { SANDBOX: 'true', CHAIN_REGISTRY: 'one.json' },
    'The sandbox cannot be combined with CHAIN_REGISTRY.',
  ],
  ['two networks in a file', '--config both.json', {}, 'cannot be combined with both.json: upstreams (INDEXERS).'],
  ['no network', '', { SANDBOX: 'false' }, 'No chain is configured. Set INDEXERS'],
  ['a network that is empty', '', { SANDBOX: '' }, 'SANDBOX is empty. Set a value, or remove it.'],
  [
    'a sandbox that is neither asked for nor refused',
    '',
    { SANDBOX: '1' },
    "SANDBOX must be true, false or odd, not '1'.",
  ],
  [
    'an indexer without a chain',
    '',
    { INDEXERS: 'http://a' },
    'INDEXERS must be a comma-separated list of chainId=url.',
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
  ['an indexer that is not a URL', '', { INDEXERS: 'a-1=a' }, 'INDEXERS for a-1 must be a URL'],
  [
    'another scheme',
    '',
    { INDEXERS: 'a-1=file:///etc/passwd' },
    'INDEXERS for a-1 must start with http:// or https://.',
  ],
  ['a query', '', { ROUTER_URL: 'https://r/v1?key=1' }, 'ROUTER_URL must not have a query (?) or a fragment (#).'],
  ['a fragment', '', { ROUTER_URL: 'https://r/v1#' }, 'ROUTER_URL must not have a query (?) or a fragment (#).'],
  [
    'a default chain that is not served',
    '',
    { INDEXERS: 'a-1=http://a', DEFAULT_CHAIN: 'b-1' },
    'DEFAULT_CHAIN names b-1, which is not served. Served: a-1.',
  ],
  [
    'a default chain that the sandbox does not have',
    '',
    { DEFAULT_CHAIN: 'b-1' },
    'DEFAULT_CHAIN names b-1, which is not served. Served: harbor-1, galley-1.',
  ],
  [
    'an unknown virtual machine',
    '',
    { INDEXERS: 'a-1=http://a', VM_KINDS: 'a-1=svm' },
    'VM_KINDS for a-1 must be evm, move or wasm',
  ],
  [
    'a virtual machine of an unknown chain',
    '',
    { INDEXERS: 'a-1=http://a', VM_KINDS: 'b-1=evm' },
    'VM_KINDS names b-1, which is not served',
  ],
  ['headers that are not JSON', '', { UPSTREAM_HEADERS: '{' }, 'UPSTREAM_HEADERS must be JSON such as'],
  ['headers of another shape', '', { UPSTREAM_HEADERS: '{"harbor-1":"x"}' }, 'UPSTREAM_HEADERS must be JSON such as'],
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
    'headers for an unknown chain',
    '',
    { UPSTREAM_HEADERS: '{"b-1":{"a":"b"}}' },
    'UPSTREAM_HEADERS names b-1, which is not served',
  ],
  [
    'headers for a router without a URL',
    '',
    { INDEXERS: 'a-1=http://a', UPSTREAM_HEADERS: '{"router":{"a":"b"}}' },
    'UPSTREAM_HEADERS names the router, but ROUTER_URL is not set.',
  ],
  [
    'headers for prices without a URL',
    '',
    { INDEXERS: 'a-1=http://a', UPSTREAM_HEADERS: '{"prices":{"a":"b"}}' },
    'UPSTREAM_HEADERS names prices, but PRICES_URL is not set.',
  ],
  ['an unknown log level', '', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be trace'],
  [
    'a flag that is neither true nor false',
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
  ['a missing registry', '', { CHAIN_REGISTRY: 'x.json' }, 'CHAIN_REGISTRY could not be read: no such file, x.json.'],
  ['a registry of another shape', '', { CHAIN_REGISTRY: 'no.json' }, 'CHAIN_REGISTRY is not a chain registry'],
  ['a registry of text', '', { CHAIN_REGISTRY: 'text' }, 'CHAIN_REGISTRY is not a chain registry'],
  ['a registry without chains', '', { CHAIN_REGISTRY: 'empty.json' }, 'CHAIN_REGISTRY lists no chain with an indexer.'],
]

const files = {
  'no.json': '{"hello":1}',
  text: '<html>',
  'empty.json': '[]',
  blank: ' \n',
  'one.json': '{"chain_id":"a-1","apis":{"indexer":[{"address":"http://a"}]}}',
  'both.json': '{"sandbox":true,"upstreams":{"a-1":{"url":"http://a"}}}',
  url: 'http://r',
  'typo.json': '{"maxPagSize":1}',
  'typo2.json': '{"upstreams":{"a-1":{"timeoutM":1}}}',
  'twice.json': '{"indexers":"a-1=http://a","upstreams":{"b-1":{"url":"http://b"}}}',
  'number.json': '{"indexers":{"a-1":5}}',
  'limit.json': '{"maxCost":true}',
  'list.json': '{"allowedOrigins":[]}',
  'type.json': '{"port":true}',
  'value.json': '{"port":"x"}',
}

test.each(['typo.json', 'text', 'empty.json', 'missing.json'])(
  'a file with a fault, %s, is not said to configure no chain',
  async (file) => {
    const { problems } = await read(`--config ${file}`, {}, files)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(file)
  },
)

test('a file without a fault that has no chain is said to configure none', async () => {
  const { problems } = await read('--config port.json', {}, { 'port.json': '{"port":1}' })
  expect(problems).toEqual([expect.stringContaining('No chain is configured.')])
})

test.each(problemTable)('%s is reported', async (_what, line, env, message) => {
  const { problems } = await read(`--sandbox-by-default ${line}`, env, files)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(message)
  expect(problems[0]).toMatch(/[.?]$/)
})

test('all problems are reported together, without secrets', async () => {
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
      chain_name: 'hub',
      pretty_name: 'Hub',
      bech32_prefix: 'init',
      apis: {
        indexer: [{ address: 'https://hub.example/indexer/' }, { address: 'https://b' }],
        rpc: [{ address: 'javascript:alert(1)' }, { address: 'https://rpc.hub.example' }],
      },
      logo_URIs: { png: 'https://logo/hub.png' },
      explorers: [{ kind: 'scan', tx_page: txPage }],
      fees: {
        fee_tokens: [{ denom: 'uinit', low_gas_price: 1e-7, average_gas_price: '0.02', high_gas_price: -1 }],
      },
      metadata: {
        is_l1: true,
        ibc_channels: [{ chain_id: 'roll-1', port_id: 'transfer', channel_id: 'channel-7', version: 'ics20-1' }],
      },
    },
    { chain_id: 'silent-1' },
    { pretty_name: 'nobody' },
    { chain_id: 'odd-1', apis: { indexer: [{ address: 'ftp://x' }] } },
    {
      chain_id: 'roll-1',
      bech32_prefix: 7,
      explorers: 'none',
      apis: { indexer: [{ address: 'https://roll.example' }] },
      metadata: { minitia: { type: 'minievm' }, ibc_channels: 'none', op_bridge_id: 12 },
    },
  ],
}

test('chains of a registry without an indexer are skipped', async () => {
  const env = { CHAIN_REGISTRY: 'chains.json', INDEXERS: 'silent-1=http://s,own-1=http://own' }
  const { entries, listed, warnings, problems } = await read('', env, {
    'chains.json': JSON.stringify(registry),
  })
  expect(problems).toEqual([])
  expect(entries[0]).toEqual({
    chainId: 'hub-1',
    name: 'hub',
    prettyName: 'Hub',
    vm: 'move',
    bech32Prefix: 'init',
    logoUrl: 'https://logo/hub.png',
    explorers: [{ name: 'scan', transactionPage: txPage, accountPage: null }],
    feeAssets: [{ denom: 'uinit', low: '0.0000001', average: '0.02', high: null }],
    rpcUrls: ['https://rpc.hub.example'],
    restUrls: [],
    ibcChannels: [{ chainId: 'roll-1', channelId: 'channel-7' }],
    opInitBridgeId: undefined,
    url: 'https://hub.example/indexer',
    headers: {},
  })
  expect(entries[2]).toMatchObject({ ibcChannels: [], opInitBridgeId: '12' })
  expect(entries.map(({ chainId, vm, prettyName }) => [chainId, vm, prettyName])).toEqual([
    ['hub-1', 'move', 'Hub'],
    ['silent-1', undefined, undefined],
    ['roll-1', 'evm', undefined],
    ['own-1', undefined, undefined],
  ])
  expect(listed.map(({ chainId }) => chainId)).toEqual(['odd-1'])
  expect(warnings).toHaveLength(3)
})

test.each([
  ['a list', [registry.chains[0]]],
  ['one chain', registry.chains[0]],
])('a registry is read from %s', async (_what, body) => {
  const files = { 'chains.json': JSON.stringify(body) }
  const { entries } = await read('--chain-registry chains.json', {}, files)
  expect(entries.map(({ chainId }) => chainId)).toEqual(['hub-1'])
})

test('a registry of one chain with a byte order mark is read', async () => {
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
    PRICES_URL: 'http://p',
  })
  if (!settings) throw new Error('it is not a network')
  expect(entries[0]?.headers).toEqual({ authorization: `Basic ${btoa('me:pass')}` })
  const services = { chains: entries, router: settings.routerUrl, prices: settings.pricesUrl }
  const network = openNetwork(networkOptions(settings, services), resolveLimits(), {
    dispatcher,
    clock: systemClock,
    cache: new CacheStore(systemClock),
  })
  expect([...network.chains.keys()]).toEqual(['a-1', 'b-1'])
  expect(network.defaultChain).toMatchObject({ chainId: 'b-1', vm: 'WASM' })
  expect([network.router?.service, network.prices?.service]).toEqual(['router', 'prices'])
  await dispatcher.destroy()
})

test('no line of the help is wider than 80 columns', () => {
  for (const text of [help, wholeHelp]) {
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  }
  expect(help.trim().split('\n').length).toBeLessThanOrEqual(25)
})

test('docs/operating names the _FILE variable of each secret', () => {
  for (const name of settingNames) {
    const { env, canBeFile } = settingOf(name)
    if (canBeFile) expect(operating).toContain(`\`${env}_FILE\``)
  }
})

test('`--help all` names every flag and variable', () => {
  for (const name of allNames) {
    expect(wholeHelp).toContain(`--${settingOf(name).flag} `)
    expect(wholeHelp).toContain(settingOf(name).env)
  }
})

test('limits are set by flags and variables, and keep their defaults otherwise', async () => {
  const { settings, problems } = await read('--sandbox --max-page-size 50', { MAX_COST: '500' })
  expect(problems).toEqual([])
  expect(settings?.limits).toEqual({ ...resolveLimits(), maxPageSize: 50, maxCost: 500 })
})

test.each(limitNames.map((name) => ({ ...limitOf(name), ...settingOf(name) })))(
  '$env is a whole number from $min to $max',
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

/** The example of docs/operating/settings.md. */
const example = /```jsonc\n(.*?)```/s.exec(operating)?.[1]

test('a configuration file sets what flags and variables leave out', async () => {
  const files = {
    'portolan.json': `// the example\n${example}`,
    'https://registry.example/chains.json': JSON.stringify(registry),
  }
  const env = { PORTOLAN_CONFIG: 'portolan.json', PORT: '5000' }
  const { settings, entries, problems } = await read('', env, files)
  expect(problems).toEqual([])
  expect(settings?.port).toBe(5000)
  expect(settings?.limits.maxPageSize).toBe(50)
  if (!settings) throw new Error('no settings')
  const { chains, router, prices } = networkOptions(settings, {
    chains: entries,
    router: settings.routerUrl,
    prices: settings.pricesUrl,
  })
  expect(chains.find(({ chainId }) => chainId === 'interwoven-1')).toMatchObject({
    url: 'https://indexer.example',
    vm: 'move',
    timeoutMs: 8000,
    maxRequests: 16,
    headers: { 'x-api-key': 'secret' },
  })
  expect(router).toMatchObject({ url: 'https://router.example', timeoutMs: 10_000 })
  expect(prices?.url).toBe('https://coins.llama.fi')
})

test('a configuration file has lists, objects and numbers as JSON or as text', async () => {
  const key = 'a-key-of-sixteen-or-more'
  const forms = [
    {
      allowedOrigins: ['https://a.example', 'https://b.example'],
      apiKeys: { app: key },
      rateLimit: ['500:2000', 'app=100'],
      pages: ['graphiql', 'docs'],
      shutdownDelayMs: 0,
      trustedProxies: ['10.0.0.0/8'],
      words: { 'swap(uint256)': 'swap' },
    },
    {
      allowedOrigins: 'https://a.example, https://b.example',
      apiKeys: `app=${key}`,
      rateLimit: '500:2000,app=100',
      pages: 'graphiql, docs',
      shutdownDelayMs: '0',
      trustedProxies: '10.0.0.0/8',
      words: '{"swap(uint256)": "swap"}',
    },
  ]
  const settings = []
  for (const form of forms) {
    const files = { 'p.json': JSON.stringify({ ...form, upstreams: { a: { url: 'http://a' } } }) }
    const result = await read('--config p.json', {}, files)
    expect(result.problems).toEqual([])
    settings.push(result.settings)
  }
  expect(settings[0]).toEqual(settings[1])
  expect(settings[0]).toMatchObject({
    apiKeys: new Map([['app', key]]),
    limits: { shutdownDelayMs: 0 },
  })
})

test('every name of a variable in camel case is a key of the configuration file', async () => {
  const names = allNames.filter((name) => name !== 'config')
  const keys = names.map((name) =>
    settingOf(name)
      .env.toLowerCase()
      .replace(/_(.)/g, (_, next) => next.toUpperCase()),
  )
  const { problems } = await read(
    '--config p.json',
    {},
    { 'p.json': JSON.stringify(Object.fromEntries(keys.map((key) => [key, 0]))) },
  )
  expect(problems.filter((text) => text.includes('unknown key'))).toEqual([])
})

test('the settings of upstreams can be keys of their own, as JSON or as text', async () => {
  const forms = [
    {
      indexers: { 'a-1': 'http://a', 'b-1': 'http://b' },
      vmKinds: { 'b-1': 'wasm' },
      upstreamHeaders: { router: { 'x-key': 'k' } },
      upstreamTimeouts: { 'a-1': 5000 },
      upstreamConcurrency: { 'a-1': 4 },
    },
    {
      indexers: 'a-1=http://a,b-1=http://b',
      vmKinds: 'b-1=wasm',
      upstreamHeaders: '{"router":{"x-key":"k"}}',
      upstreamTimeouts: 'a-1=5000',
      upstreamConcurrency: 'a-1=4',
    },
  ]
  const settings = []
  for (const form of forms) {
    const files = { 'p.json': JSON.stringify({ ...form, upstreams: { router: { url: 'http://r' } } }) }
    const result = await read('--config p.json', {}, files)
    expect(result.problems).toEqual([])
    settings.push(result.settings)
  }
  expect(settings[0]).toEqual(settings[1])
  expect([...(settings[0]?.indexers?.keys() ?? [])]).toEqual(['a-1', 'b-1'])
})

test.each([
  [
    'TRUSTED_PROXIES',
    'foo',
    ["has 'foo', which is not an address, a network such as 10.0.0.0/8, loopback, linklocal or uniquelocal."],
  ],
  ['UPSTREAM_TIMEOUTS', 'harbor-1=500,harbor-1=600', ['names harbor-1 twice.']],
  [
    'UPSTREAM_TIMEOUTS',
    'rooter=5',
    [
      "for rooter must be a whole number from 100 to 120000, not 'rooter=5'.",
      'names rooter, which is not served. Served: harbor-1, galley-1.',
    ],
  ],
  [
    'RATE_LIMIT',
    'app:50',
    [
      "must be points, points:burst, or name=points:burst for one client, in whole numbers up to 1000000000, not 'app:50'.",
    ],
  ],
])('%s=%s has the problems %j', async (name, value, expected) => {
  const { problems } = await read('--sandbox', { [name]: value })
  expect(problems).toEqual(expected.map((text) => `${name} ${text}`))
})

test('faults of keys and of values are reported together, and nothing that follows from them', async () => {
  const file = {
    maxPagSize: 1,
    port: 'x',
    maxCost: 1,
    host: { a: [] },
    defaultChain: 'a-1',
    upstreams: { 'a-1': { ulr: 'http://a', timeoutMs: 1 }, 'b-1': { url: 'b' }, 'c-1': { url: 'http://c' } },
  }
  const { problems } = await read('--config p.json', {}, { 'p.json': JSON.stringify(file) })
  expect(problems).toEqual([
    'p.json has the unknown key upstreams.a-1.ulr. Did you mean url?',
    'p.json: host is not valid.',
    'p.json has the unknown key maxPagSize. Did you mean maxPageSize?',
    'p.json: maxCost must be a whole number from 100 to 10000000.',
    "p.json: port must be a whole number from 0 to 65535, not 'x'.",
    'p.json: upstreams (INDEXERS) for b-1 must be a URL such as https://indexer.example/v1.',
    'p.json: upstreams (UPSTREAM_TIMEOUTS) for a-1 must be a whole number from 100 to 120000, not \'{"a-1":1}\'.',
  ])
})

test('a variable overrides the configuration file', async () => {
  const file = '{"upstreams":{"a-1":{"url":"http://a/x,y"},"b-1":{"url":"http://b"}}}'
  const files = { 'p.json': file }
  const filed = await read('--config p.json', {}, files)
  expect(filed.problems).toEqual([])
  expect(filed.entries.map(({ url }) => url)).toEqual(['http://a/x,y', 'http://b'])
  const replaced = await read('--config p.json', { INDEXERS: 'c-1=http://c' }, files)
  expect(replaced.entries.map(({ chainId }) => chainId)).toEqual(['c-1'])
})

test('secrets are read from files and trimmed', async () => {
  const files = { '/run/headers': '{"a-1":{"x-key":"secret"}}\n', '/run/chains': 'a-1=http://a\n' }
  const env = { UPSTREAM_HEADERS_FILE: '/run/headers', INDEXERS_FILE: '/run/chains' }
  const { settings, problems } = await read('', env, files)
  expect(problems).toEqual([])
  expect(settings?.upstreamHeaders).toEqual({ 'a-1': { 'x-key': 'secret' } })
})

test('warnings about a registry are summed up, and quote an invalid chain id', async () => {
  const chains = Array.from({ length: 300 }, (_, index) => ({ chain_id: `c-${index}` }))
  const served = { chain_id: 'a-1', apis: { indexer: [{ address: 'http://a' }] } }
  const files = { 'r.json': JSON.stringify([{ chain_id: 'bad url' }, served, ...chains]) }
  const { warnings, problems } = await read('', { CHAIN_REGISTRY: 'r.json' }, files)
  expect(problems).toEqual([])
  expect(warnings).toEqual([
    "Entry 1 of the chain registry has an invalid chain id, 'bad url', and was skipped.",
    'The chain registry lists no indexer for 300 of its chains: c-0, c-1, c-2, c-3, c-4, ….',
  ])
})

test('a setting for a chain missing from the registry is a warning', async () => {
  const registry = JSON.stringify([{ chain_id: 'a-1', apis: { indexer: [{ address: 'http://a' }] } }])
  const env = {
    CHAIN_REGISTRY: 'chains.json',
    INDEXERS: 'c-1=http://c',
    DEFAULT_CHAIN: 'b-1',
    VM_KINDS: 'b-1=evm,a-1=move',
    UPSTREAM_TIMEOUTS: 'b-1=500,c-1=700',
  }
  const { problems, warnings, settings, entries, listed } = await read('', env, {
    'chains.json': registry,
  })
  expect(problems).toEqual([])
  expect(warnings).toEqual(
    ['DEFAULT_CHAIN', 'VM_KINDS', 'UPSTREAM_TIMEOUTS'].map(
      (name) => `${name} names b-1, which is not served. Served: a-1, c-1. It has no effect.`,
    ),
  )
  if (!settings) throw new Error('no settings')
  const network = networkOptions(settings, { chains: entries, listed })
  expect(network.defaultChain).toBeUndefined()
  expect(network.chains).toMatchObject([
    { chainId: 'a-1', vm: 'move' },
    { chainId: 'c-1', timeoutMs: 700 },
  ])
})

test('headers for a router without ROUTER_URL are a problem with a registry too', async () => {
  const registry = JSON.stringify([{ chain_id: 'a-1', apis: { indexer: [{ address: 'http://a' }] } }])
  const env = { CHAIN_REGISTRY: 'chains.json', UPSTREAM_HEADERS: '{"router":{"a":"b"}}' }
  const { problems } = await read('', env, { 'chains.json': registry })
  expect(problems).toEqual(['UPSTREAM_HEADERS names the router, but ROUTER_URL is not set.'])
})

test.each([
  ['https://img.example/unsafe/plain/{url}@webp', true],
  ['https://img.example/?url={url}&w=9', true],
  ['http://127.0.0.1:8080/{url}', true],
  ['https://img.example/', false],
  ['https://{url}.example/', false],
  ['https://img.example/#{url}', false],
  ['https://a:b@img.example/{url}', false],
  ['ftp://img.example/{url}', false],
  ['{url}', false],
])('%s is the URL of a picture at a proxy: %s', async (url, isGood) => {
  const { settings, problems } = await read(`--sandbox --nft-picture-url=${url}`)
  expect([settings?.nftPictureUrl, problems.length]).toEqual([isGood ? url : undefined, isGood ? 0 : 1])
})
