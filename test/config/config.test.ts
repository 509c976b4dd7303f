import { expect, test } from 'vitest'
import { readChains } from '../../src/config/chains.ts'
import { readCommand } from '../../src/config/commandLine.ts'
import { help } from '../../src/config/help.ts'
import { openNetwork } from '../../src/config/openNetwork.ts'
import { settingNames, settingOf } from '../../src/config/settings.ts'
import { createDispatcher } from '../../src/upstream/httpAgent.ts'

const sandboxIds = ['harbor-1', 'galley-1']

/** A configuration as it is read, with all its faults. */
async function read(
  line: string,
  env: Record<string, string> = {},
  files: Record<string, string> = {},
) {
  const faults: string[] = []
  const command = readCommand(line.split(' ').filter(Boolean), env, faults)
  const none = { settings: undefined, entries: [], warnings: [] }
  if (!('settings' in command)) return { command, faults, ...none }
  const readText = async (source: string) => {
    const text = files[source]
    if (text === undefined) throw new Error(`no such file, ${source}`)
    return text
  }
  const chains = await readChains(command, { sandboxIds, readText, faults })
  return { command, faults, settings: command.settings, ...chains }
}

test('without anything set the sandbox is served on this machine alone', async () => {
  const { command, settings, faults } = await read('')
  expect(faults).toEqual([])
  expect(command).toMatchObject({ run: 'serve', sandbox: true })
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    logLevel: 'info',
    graphiql: true,
    introspection: true,
    allowedOrigins: '*',
  })
})

test('flags say what variables say, and win', async () => {
  const env = { PORT: '1', HOST: '::1', INDEXERS: 'a-1=http://a', GRAPHIQL: 'false', LOG_LEVEL: '' }
  const { command, settings } = await read('--port=2 --indexers b-1=http://b/v1/', env)
  expect(command).toMatchObject({ run: 'serve', sandbox: false })
  expect(settings).toMatchObject({ port: 2, host: '::1', graphiql: false, logLevel: 'info' })
  expect([...(settings?.indexers ?? [])]).toEqual([['b-1', { url: 'http://b/v1', headers: {} }]])
})

test('--sandbox wins over indexers of the environment', async () => {
  const { command, faults } = await read('--sandbox', { INDEXERS: 'a-1=http://a' })
  expect(command).toMatchObject({ sandbox: true })
  expect(faults).toEqual([])
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

const faultTable: [string, string, Record<string, string>, string][] = [
  ['a port that is no number', '--port http', {}, '--port has to be a port'],
  [
    'a port that is none',
    '',
    { PORT: '65536' },
    "PORT has to be a port: a whole number from 0 to 65535; it is '65536'.",
  ],
  ['a flag that is none', '--prot 1', {}, 'There is no flag --prot.'],
  ['a flag like a builtin', '--constructor=1', {}, 'There is no flag --constructor.'],
  ['a command that is none', 'start', {}, "There is no command 'start'"],
  ['two commands', 'serve sandbox', {}, "One command at a time: what is 'sandbox'?"],
  ['a flag without its value', '--port', {}, '--port takes a value.'],
  ['a switch with a value', '--sandbox=yes', {}, '--sandbox takes no value.'],
  [
    'two networks at once',
    '--sandbox --indexers a-1=http://a',
    {},
    '--sandbox brings its own chains; it does not go with --indexers.',
  ],
  [
    'an indexer without a chain',
    '',
    { INDEXERS: 'http://a' },
    'INDEXERS has to be chainId=value pairs',
  ],
  [
    'an indexer with an empty chain',
    '',
    { INDEXERS: '=http://a' },
    "INDEXERS names '', which cannot be a chain id.",
  ],
  [
    'a chain called router',
    '',
    { INDEXERS: 'router=http://a' },
    "INDEXERS names 'router', which cannot be a chain id.",
  ],
  ['a chain twice', '', { INDEXERS: 'a-1=http://a,a-1=http://b' }, 'INDEXERS names a-1 twice.'],
  ['an indexer that is no URL', '', { INDEXERS: 'a-1=a' }, 'INDEXERS for a-1 has to be a URL'],
  [
    'another scheme',
    '',
    { INDEXERS: 'a-1=file:///etc/passwd' },
    'INDEXERS for a-1 has to begin with http:// or https://.',
  ],
  [
    'a query',
    '',
    { ROUTER_URL: 'https://r/v1?key=1' },
    'ROUTER_URL may have nothing behind its path',
  ],
  [
    'a fragment',
    '',
    { ROUTER_URL: 'https://r/v1#' },
    'ROUTER_URL may have nothing behind its path',
  ],
  [
    'a default chain that is not served',
    '',
    { INDEXERS: 'a-1=http://a', DEFAULT_CHAIN: 'b-1' },
    'DEFAULT_CHAIN names b-1, which is not served; served are a-1.',
  ],
  [
    'a default chain the sandbox has not',
    '',
    { DEFAULT_CHAIN: 'b-1' },
    'DEFAULT_CHAIN names b-1, which is not served; served are harbor-1, galley-1.',
  ],
  [
    'a kind that is none',
    '',
    { INDEXERS: 'a-1=http://a', VM_KINDS: 'a-1=svm' },
    'VM_KINDS for a-1 has to be evm, move or wasm',
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
    'UPSTREAM_HEADERS has to be JSON of the shape',
  ],
  [
    'headers of another shape',
    '',
    { UPSTREAM_HEADERS: '{"harbor-1":"x"}' },
    'UPSTREAM_HEADERS has to be JSON of the shape',
  ],
  [
    'a header that breaks connections',
    '',
    { UPSTREAM_HEADERS: '{"harbor-1":{"Host":"x"}}' },
    "UPSTREAM_HEADERS has a header 'Host' that cannot be sent.",
  ],
  [
    'a header of two lines',
    '',
    { UPSTREAM_HEADERS: '{"harbor-1":{"a":"b\\nc"}}' },
    "UPSTREAM_HEADERS has a header 'a' that cannot be sent.",
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
    'UPSTREAM_HEADERS names the router, but none is set.',
  ],
  ['a level that is none', '', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL has to be one of trace'],
  [
    'neither true nor false',
    '',
    { INTROSPECTION: 'no' },
    "INTROSPECTION has to be true or false; it is 'no'.",
  ],
  [
    'an origin with a path',
    '',
    { ALLOWED_ORIGINS: 'https://a.example/' },
    "ALLOWED_ORIGINS has 'https://a.example/', which is no origin",
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
    'CHAIN_REGISTRY is no chain registry',
  ],
  ['a registry of text', '', { CHAIN_REGISTRY: 'text' }, 'CHAIN_REGISTRY is no chain registry'],
  [
    'a registry without chains',
    '',
    { CHAIN_REGISTRY: 'empty.json' },
    'CHAIN_REGISTRY lists no chain with an indexer.',
  ],
]

const files = { 'no.json': '{"hello":1}', text: '<html>', 'empty.json': '[]' }

test.each(faultTable)('%s is told in plain words', async (_what, line, env, message) => {
  const { faults } = await read(line, env, files)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(message)
  expect(faults[0]).toMatch(/[.?]$/)
})

test('all faults are told at once, and no secrets with them', async () => {
  const { faults } = await read('--nope', {
    PORT: 'x',
    INDEXERS: 'a-1=http://me:secret@a?,a-1',
    ROUTER_URL: 'ftp://me:secret@r',
    UPSTREAM_HEADERS: '{"a-1":{"key":"secret\\n"}}',
    CHAIN_REGISTRY: 'x.json',
  })
  expect(faults).toHaveLength(7)
  expect(faults.join()).not.toContain('secret')
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

test('a registry tells what it knows of its chains, and passes over what it cannot serve', async () => {
  const env = { CHAIN_REGISTRY: 'chains.json', INDEXERS: 'silent-1=http://s,own-1=http://own' }
  const { entries, warnings, faults } = await read('', env, {
    'chains.json': JSON.stringify(registry),
  })
  expect(faults).toEqual([])
  expect(entries[0]).toEqual({
    chainId: 'hub-1',
    name: 'Hub',
    vm: 'MOVE',
    bech32Prefix: 'init',
    logoUrl: 'https://logo/hub.png',
    explorers: [{ name: 'scan', transactionPage: txPage, accountPage: null }],
    feeDenoms: ['uinit'],
    target: { url: 'https://hub.example/indexer', headers: {} },
  })
  expect(entries.map(({ chainId, vm, name }) => [chainId, vm, name])).toEqual([
    ['hub-1', 'MOVE', 'Hub'],
    ['silent-1', undefined, 'silent-1'],
    ['roll-1', 'EVM', 'roll-1'],
    ['own-1', undefined, 'own-1'],
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
  const { entries, faults } = await read('', { CHAIN_REGISTRY: 'one.json' }, { 'one.json': text })
  expect(faults).toEqual([])
  expect(entries).toMatchObject([{ chainId: 'a-1', target: { url: 'http://a' } }])
})

test('a network is opened as it is configured', async () => {
  const dispatcher = createDispatcher()
  const { settings, entries } = await read('', {
    INDEXERS: 'a-1=http://me:pass@a,b-1=http://b',
    VM_KINDS: 'b-1=wasm',
    DEFAULT_CHAIN: 'b-1',
    ROUTER_URL: 'http://r',
  })
  if (!settings) throw new Error('it is a network')
  expect(entries[0]?.target.headers).toEqual({ authorization: `Basic ${btoa('me:pass')}` })
  const found = { chains: entries, router: settings.routerUrl }
  const network = openNetwork(settings, found, { dispatcher })
  expect([...network.chains.keys()]).toEqual(['a-1', 'b-1'])
  expect(network.defaultChain).toMatchObject({ chainId: 'b-1', vm: 'WASM' })
  expect(network.router?.service).toBe('router')
  await dispatcher.destroy()
})

test('the help names every flag and variable', () => {
  for (const name of settingNames) {
    expect(help).toContain(`--${settingOf(name).flag} `)
    expect(help).toContain(settingOf(name).env)
  }
})
