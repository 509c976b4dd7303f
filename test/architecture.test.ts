import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', 'src')

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'))

/** What each file imports: files below src by their path, packages by their name. */
const imports = new Map(
  files.map((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    const targets = [
      ...source.matchAll(/^(?:import|export)[^'"]*?from '([^']+)'|^import '([^']+)'/gm),
    ]
    return [
      file,
      targets.map(([, from, bare]) => {
        const target = from ?? bare ?? ''
        return target.startsWith('.')
          ? relative(root, join(root, dirname(file), target))
          : target.replace(/^node:.*/, 'node:').replace(/^((?:@[^/]+\/)?[^/]+).*/, '$1')
      }),
    ]
  }),
)

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** The parts of the source, by folder. The longest match counts. */
const parts = [
  'addresses',
  'balanceChanges',
  'actions',
  'cli',
  'config',
  'config/limits',
  'doctor',
  'fleet',
  'graphql',
  'kit',
  'mcp',
  'media',
  'pagination',
  'peers',
  'redis',
  'sandbox',
  'schema',
  'schema/account',
  'schema/amount',
  'schema/chain',
  'schema/indexer',
  'schema/router',
  'schema/search',
  'server',
  'signing',
  'subgraph',
  'telemetry',
  'upstream',
  'watch',
  'wire',
  'workers',
]

const partOf = (file: string) =>
  parts
    .filter((part) => file === part || file.startsWith(`${part}/`))
    .toSorted((a, b) => b.length - a.length)[0] ?? 'root'

/** What each part may import besides itself. `gateway.ts`, at the root, puts the parts together. */
const allowed: Record<string, string[]> = {
  addresses: [],
  balanceChanges: ['addresses', 'kit'],
  // For browsers too: no GraphQL, no requests.
  actions: ['addresses', 'balanceChanges', 'kit'],
  cli: [
    'config',
    'config/limits',
    'doctor',
    'graphql',
    'kit',
    'mcp',
    'root',
    'sandbox',
    'schema',
    'server',
    'signing',
    'subgraph',
    'telemetry',
    'upstream',
    'workers',
  ],
  config: ['config/limits', 'upstream', 'wire'],
  'config/limits': [],
  doctor: [
    'balanceChanges',
    'config',
    'config/limits',
    'kit',
    'pagination',
    'redis',
    'schema/chain',
    'schema/indexer',
    'schema/router',
    'signing',
    'upstream',
    'wire',
  ],
  fleet: ['redis', 'kit', 'server', 'signing', 'telemetry', 'upstream', 'watch'],
  graphql: ['config/limits', 'kit', 'media', 'pagination', 'signing', 'upstream', 'watch', 'wire'],
  // The clock, caches and queues. They know nothing of GraphQL, HTTP or upstreams.
  kit: [],
  mcp: ['kit', 'peers'],
  // No GraphQL. Its queue of requests is that of upstreams.
  media: ['kit', 'signing', 'upstream', 'wire'],
  pagination: ['signing', 'upstream', 'wire'],
  // Optional libraries, and what to say without them.
  peers: [],
  // The connection to Redis, for the fleet and the doctor.
  redis: ['kit', 'peers'],
  sandbox: [],
  schema: [
    'config/limits',
    'kit',
    'schema/account',
    'schema/amount',
    'schema/chain',
    'schema/indexer',
    'schema/router',
    'schema/search',
    'graphql',
    'pagination',
    'upstream',
    'watch',
  ],
  'schema/amount': ['graphql', 'upstream', 'wire'],
  'schema/account': ['addresses', 'graphql', 'kit', 'schema/chain', 'upstream'],
  'schema/chain': ['addresses', 'graphql', 'kit', 'upstream', 'wire'],
  'schema/indexer': [
    'actions',
    'addresses',
    'balanceChanges',
    'config/limits',
    'graphql',
    'kit',
    'media',
    'pagination',
    'schema/account',
    'schema/amount',
    'schema/chain',
    'upstream',
    'watch',
    'wire',
  ],
  'schema/router': [
    'actions',
    'addresses',
    'balanceChanges',
    'config/limits',
    'graphql',
    'kit',
    'pagination',
    'schema/account',
    'schema/amount',
    'schema/chain',
    'schema/indexer',
    'signing',
    'upstream',
    'watch',
    'wire',
  ],
  'schema/search': [
    'addresses',
    'graphql',
    'schema/account',
    'schema/chain',
    'schema/indexer',
    'schema/router',
    'upstream',
    'wire',
  ],
  server: [
    'config/limits',
    'graphql',
    'kit',
    'mcp',
    'media',
    'peers',
    'schema',
    'telemetry',
    'upstream',
    'watch',
    'wire',
  ],
  signing: [],
  subgraph: ['graphql', 'upstream'],
  telemetry: ['kit', 'peers', 'upstream'],
  upstream: ['kit', 'wire'],
  watch: ['kit', 'upstream'],
  // JSON with exact numbers, and how its values are read.
  wire: ['kit'],
  workers: ['config', 'config/limits', 'kit', 'root', 'server', 'telemetry'],
}

test('each folder of src imports only the folders it is allowed to', () => {
  const breaches = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => target.endsWith('.ts') && partOf(file) !== 'root')
      .filter((target) => partOf(target) !== partOf(file))
      .filter((target) => !allowed[partOf(file)]?.includes(partOf(target)))
      .map((target) => `${file} imports ${target}`),
  )
  expect(breaches).toEqual([])
})

/** The only parts that may import a package. */
const packages: Record<string, string[]> = {
  undici: ['upstream', 'media'],
  'ipaddr.js': ['media'],
  dataloader: ['upstream'],
  graphql: [
    'cli',
    'graphql',
    'schema',
    'schema/indexer',
    'schema/router',
    'server',
    'telemetry',
    'root',
    'mcp',
    'subgraph',
  ],
  '@modelcontextprotocol/server': ['mcp'],
  'graphql-yoga': ['server'],
  'graphql-ws': ['server'],
  '@pothos/core': ['graphql'],
  pino: ['cli', 'telemetry', 'root'],
  ioredis: ['redis'],
  'prom-client': ['telemetry'],
}

test('each library is imported only where it is allowed', () => {
  const breaches = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => packages[target] && !packages[target].includes(partOf(file)))
      .map((target) => `${file} imports ${target}`),
  )
  expect(breaches).toEqual([])
})

test('browser code imports nothing of Node.js', () => {
  const isForBrowsers = (file: string) => ['addresses', 'balanceChanges'].includes(partOf(file))
  const breaches = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => isForBrowsers(file) && !target.endsWith('.ts'))
      .filter((target) => !['@noble/hashes', '@scure/base'].includes(target))
      .map((target) => `${file} imports ${target}`),
  )
  const named = files.filter(
    (file) =>
      isForBrowsers(file) && /\b(Buffer|process)\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect({ breaches, named }).toEqual({ breaches: [], named: [] })
})

/** Packages of Yoga. Named at the versions that need the same others, they are installed once. */
const isPinned = (name: string) => name.startsWith('@graphql-tools/')

test('every dependency is imported, or pinned for Yoga', () => {
  const manifest = JSON.parse(readFileSync(join(root, '..', 'package.json'), 'utf8'))
  const imported = new Set([...imports.values()].flat())
  const unused = Object.keys(manifest.dependencies).filter((name) => !imported.has(name))
  expect(unused.filter((name) => !isPinned(name))).toEqual([])
})

test('src/media is imported statically only for its faults and paths', () => {
  const loaded = files
    .filter((file) => partOf(file) !== 'media')
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^import (?!type).* from '(.*)'/gm)].map(
        ([, from = '']) => relative(root, join(root, dirname(file), from)),
      ),
    )
    .filter((target) => target.startsWith('media/'))
  // Words, and the form of paths: they import nothing.
  expect(new Set(loaded)).toEqual(new Set(['media/fault.ts', 'media/paths.ts']))
  for (const file of new Set(loaded)) {
    const source = readFileSync(join(root, file), 'utf8')
    expect(source).not.toMatch(/^import (?!type)/m)
  }
})

/** What the answers of queries are made of. A read past the scope would be kept for longer than it is true. */
const queryFiles = files.filter((file) => /^(schema|pagination|subgraph)\//.test(file))

/** Files of subscriptions. */
const isLive = (file: string) => /^schema\/indexer\/live\/|Subscription\.ts$/.test(file)

test('only subscriptions and waits import the live sources', () => {
  const importers = files.filter((file) => imports.get(file)?.includes('graphql/live.ts'))
  expect(importers.filter((file) => !isLive(file)).toSorted()).toEqual([
    // Reads through the scope.
    'graphql/finalState.ts',
    // Waits for a height, and answers with nothing that it has seen meanwhile.
    'schema/indexer/height.ts',
    // A mutation.
    'schema/router/transfer/trackTransfer.ts',
  ])
  // Their code is in the files of subscriptions, and no other one gets a context of this type.
  const named = queryFiles.filter((file) => /\bLiveContext\b/.test(textOf(file)))
  expect(named.filter((file) => !isLive(file))).toEqual(['schema/router/transfer/joinedStates.ts'])
})

test('queries send requests only through their request scope', () => {
  const senders = queryFiles.filter((file) => /\.send\(/.test(textOf(file)))
  expect(senders.filter((file) => !isLive(file)).toSorted()).toEqual([
    // Of the readiness of the process.
    'schema/indexer/chain.ts',
    // Is a client, which the scope sends to.
    'schema/indexer/height.ts',
    // A mutation.
    'schema/router/transfer/trackTransfer.ts',
  ])
})

test('no resolver uses Date.now or Math.random', () => {
  const own = /\bDate\.now\b|\bnew Date\(\)|\bperformance\b|\bMath\.random\b|\brandomBytes\b/
  expect('  const left = at - Date.now()').toMatch(own)
  expect(
    [...queryFiles, ...files.filter((file) => file.startsWith('graphql/'))].filter((file) =>
      own.test(textOf(file)),
    ),
  ).toEqual([])
})

test('imports form no cycle', () => {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, way: string[]) => {
    if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(' → '))
    if (way.includes(file) || done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...way, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(cycles).toEqual([])
})

test('every relative import leads to an existing file', () => {
  const missing = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => target.endsWith('.ts') && !imports.has(target))
      .map((target) => `${file} imports ${target}`),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

/**
 * V8 makes such a function among the objects that have long been in use, where it holds all that it refers
 * to until the next full collection. An operation that does so keeps its whole memory until then.
 */
test('no function is made in an assignment to a property', () => {
  const made = /^ *[\w.[\]]+[.\]]\w* = (?:async )?(?:function\b|(?:\([^()]*\)|\w+) =>)/m
  expect('  flight.onCancel = () => {').toMatch(made)
  expect('  call.flight.onJoin = (caller) =>').toMatch(made)
  const found = files.filter((file) => made.test(readFileSync(join(root, file), 'utf8')))
  expect(found).toEqual([])
})

test('the contract tests and their helpers import only public parts of src', () => {
  const doors = ['testing.ts', 'gateway.ts', 'kit/clock/movableClock.ts']
  const entered = new Set<string>()
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+\.ts)'/g)) {
      const path = join(dirname(file), target)
      if (path.startsWith(`${root}/`)) entered.add(path)
      else visit(path)
    }
  }
  const folder = join(import.meta.dirname, 'contract')
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.ts')) visit(join(folder, file))
  const rooms = [...entered].map((path) => relative(root, path))
  expect(rooms.filter((path) => !path.startsWith('sandbox/')).toSorted()).toEqual(doors.toSorted())
})
