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
    const targets = [...source.matchAll(/^(?:import|export)[^'"]*?from '([^']+)'|^import '([^']+)'/gm)]
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

/** The floors of src. Each may import those below it. `main.ts` and `testing.ts` stand above all of them. */
const floors = ['app', 'root', 'server', 'schema', 'engine', 'kit']

const floorOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : 'root')

const isEntry = (file: string) => ['main.ts', 'testing.ts'].includes(file)

test('each floor of src imports only those below it', () => {
  const level = (file: string) => floors.indexOf(floorOf(file))
  expect(files.filter((file) => level(file) < 0)).toEqual([])
  const breaches = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => target.endsWith('.ts') && !isEntry(file))
      .filter((target) => isEntry(target) || level(target) < level(file))
      .map((target) => `${file} imports ${target}`),
  )
  expect(breaches).toEqual([])
})

/** What each room may import of the other rooms of its floor. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'app/cli': ['app/config', 'app/doctor', 'app/workers'],
  'app/config': [],
  'app/doctor': ['app/config'],
  'app/workers': ['app/config'],
  // Each room of the server takes `services.ts` of the whole. What answers a path stands above them, in routes.
  server: [
    ...['server/clients', 'server/graphiql', 'server/http', 'server/metrics', 'server/operation'],
    ...['server/routes', 'server/static', 'server/ws'],
  ],
  'server/clients': ['server/http', 'server/operation'],
  // The budgets that gateways share are those of clients.
  'server/fleet': ['server', 'server/clients'],
  'server/graphiql': ['server', 'server/clients', 'server/http', 'server/operation', 'server/static'],
  'server/http': ['server', 'server/clients', 'server/operation'],
  'server/metrics': ['server/http'],
  'server/operation': ['server', 'server/clients'],
  'server/routes': [
    'server',
    ...['server/clients', 'server/graphiql', 'server/http', 'server/metrics', 'server/operation', 'server/static'],
  ],
  'server/static': ['server', 'server/clients', 'server/http', 'server/operation'],
  'server/ws': ['server', 'server/clients', 'server/http', 'server/operation'],
  schema: [
    'schema/account',
    'schema/amount',
    'schema/chain',
    'schema/indexer',
    'schema/movement',
    'schema/router',
    'schema/search',
  ],
  'schema/account': ['schema/chain'],
  'schema/amount': [],
  'schema/chain': [],
  'schema/indexer': ['schema/account', 'schema/amount', 'schema/chain'],
  'schema/movement': ['schema/account', 'schema/amount', 'schema/chain', 'schema/indexer', 'schema/router'],
  'schema/router': ['schema/account', 'schema/amount', 'schema/chain', 'schema/indexer'],
  'schema/search': ['schema/account', 'schema/chain', 'schema/indexer', 'schema/movement', 'schema/router'],
  'schema/subgraph': [],
  'engine/graphql': [
    ...['engine/limits', 'engine/media', 'engine/pagination', 'engine/signing'],
    ...['engine/upstream', 'engine/watch', 'engine/wire'],
  ],
  'engine/limits': [],
  // No GraphQL. Its queue of requests is that of upstreams.
  'engine/media': ['engine/limits', 'engine/signing', 'engine/upstream', 'engine/wire'],
  'engine/network': ['engine/limits', 'engine/upstream', 'engine/wire'],
  'engine/pagination': ['engine/signing', 'engine/upstream', 'engine/wire'],
  'engine/redis': [],
  'engine/signing': [],
  'engine/telemetry': ['engine/upstream'],
  'engine/upstream': ['engine/limits', 'engine/wire'],
  'engine/watch': ['engine/upstream'],
  // JSON with exact numbers, and how its values are read.
  'engine/wire': [],
  // The clock, caches and queues. They know nothing of GraphQL, HTTP or upstreams.
  kit: [],
}

/** The room of a file: the longest match counts. */
const roomOf = (file: string) =>
  Object.keys(allowed)
    .filter((room) => file.startsWith(`${room}/`))
    .toSorted((a, b) => b.length - a.length)[0] ?? 'root'

test('each room imports only the rooms of its floor that it is allowed to', () => {
  const breaches = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => target.endsWith('.ts') && floorOf(file) === floorOf(target))
      .filter((target) => roomOf(target) !== roomOf(file))
      .filter((target) => !allowed[roomOf(file)]?.includes(roomOf(target)))
      .map((target) => `${file} imports ${target}`),
  )
  expect(breaches).toEqual([])
})

/** The only rooms that may import a library. A floor stands for all of its rooms. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  undici: ['engine/upstream', 'engine/media'],
  dataloader: ['engine/upstream'],
  graphql: ['app/cli', 'root', 'server', 'schema', 'engine/graphql', 'engine/telemetry'],
  'graphql-yoga': ['server'],
  'graphql-ws': ['server'],
  '@pothos/core': ['engine/graphql'],
  pino: ['app/cli', 'root', 'engine/telemetry'],
  ioredis: ['engine/redis'],
  'prom-client': ['engine/telemetry'],
  // The names of functions are an option of the gateway.
  '#words': ['app/doctor', 'root', 'schema', 'server'],
  '#sandbox': ['app', 'root'],
  '#mcp': ['app/cli', 'server'],
}

test('each library is imported only where it is allowed', () => {
  const isIn = (file: string, place: string) =>
    place === 'root' ? floorOf(file) === 'root' : file.startsWith(`${place}/`)
  const breaches = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => libraries[target]?.every((place) => !isIn(file, place)))
      .map((target) => `${file} imports ${target}`),
  )
  expect(breaches).toEqual([])
})

/** The files of a package of this repository, and what each imports. */
function importsOf(name: string): readonly (readonly [file: string, targets: readonly string[]])[] {
  const folder = join(root, '..', 'packages', name, 'src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const targets = [...text.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, target = '']) =>
        target.startsWith('.') ? relative(folder, join(folder, dirname(file), target)) : target,
      )
      return [file, targets] as const
    })
}

/** What a package may import of this repository, besides its own files. */
const ours: Readonly<Record<string, RegExp>> = {
  kit: /^$/,
  words: /^#kit\//,
  sandbox: /^#kit\//,
  mcp: /^#kit\//,
  export: /^(#kit\/|@portolan\/(client|words)(\/|$))/,
  hooks: /^(#kit\/|@portolan\/client(\/|$))/,
}

test.each(Object.entries(ours))('packages/%s imports no more of ours than %s', (name, allowedOnes) => {
  const all = importsOf(name)
  expect(all.length).toBeGreaterThan(5)
  const foreign = all.flatMap(([file, targets]) =>
    targets
      .filter((target) => target.startsWith('..') || (/^(#|@portolan)/.test(target) && !allowedOnes.test(target)))
      .map((target) => `${file} imports ${target}`),
  )
  expect(foreign).toEqual([])
})

/** Modules of the kit, with those that they import. */
function withImports(files: readonly string[]): readonly string[] {
  const kit = new Map(importsOf('kit'))
  const needed = new Set<string>()
  const add = (file: string) => {
    if (needed.has(file)) return
    needed.add(file)
    for (const target of kit.get(file) ?? []) if (target.endsWith('.ts')) add(target)
  }
  for (const file of files) add(file)
  return [...needed].toSorted()
}

/** The modules of the kit that a package needs. */
const neededOf = (name: string) =>
  withImports(
    importsOf(name).flatMap(([, targets]) =>
      targets.flatMap((target) => (target.startsWith('#kit/') ? [`${target.slice('#kit/'.length)}.ts`] : [])),
    ),
  )

test.each(['words', 'sandbox', 'mcp', 'export', 'hooks'])(
  'the archive of packages/%s has the modules of the kit that it imports, and no others',
  (name) => {
    const settings = readFileSync(join(root, '..', 'packages', name, 'tsconfig.kit.json'), 'utf8')
    const files: readonly string[] = JSON.parse(settings).files
    expect(files.map((file) => relative('../kit/src', file)).toSorted()).toEqual(neededOf(name))
  },
)

test('the modules of the kit that browsers load need nothing but each other', () => {
  const kit = new Map(importsOf('kit'))
  const folder = join(root, '..', 'packages', 'explorer', 'src')
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('')
  const inExplorer = [...text.matchAll(/'@portolan\/kit\/([^']+)'/g)].map(([, module]) => `${module}.ts`)
  expect(inExplorer).toContain('csv.ts')
  for (const file of [...neededOf('words'), ...withImports(inExplorer)]) {
    const source = readFileSync(join(root, '..', 'packages', 'kit', 'src', file), 'utf8')
    expect(kit.get(file)?.filter((target) => !target.endsWith('.ts'))).toEqual([])
    expect(source).not.toMatch(/\b(Buffer|process)\b/)
  }
})

test('packages/words imports nothing of Node.js', () => {
  const breaches = importsOf('words').flatMap(([file, targets]) =>
    targets.filter((target) => target.startsWith('node:')).map((target) => `${file} ${target}`),
  )
  const folder = join(root, '..', 'packages', 'words', 'src')
  const named = importsOf('words')
    .map(([file]) => file)
    .filter((file) => /\b(Buffer|process)\b/.test(readFileSync(join(folder, file), 'utf8')))
  expect({ breaches, named }).toEqual({ breaches: [], named: [] })
})

/** Packages of Yoga. Named at the versions that need the same others, they are installed once. */
const isPinned = (name: string) => name.startsWith('@graphql-tools/')

test('every dependency is imported, or pinned for Yoga', () => {
  const manifest = JSON.parse(readFileSync(join(root, '..', 'package.json'), 'utf8'))
  const bundled = ['kit', 'words', 'sandbox', 'mcp'].flatMap(importsOf).flatMap(([, targets]) => targets)
  const nameIn = (target: string) => target.replace(/^((?:@[^/]+\/)?[^/]+).*/, '$1')
  const imported = new Set([...[...imports.values()].flat(), ...bundled.map(nameIn)])
  const unused = Object.keys(manifest.dependencies).filter((name) => !imported.has(name))
  expect(unused.filter((name) => !isPinned(name))).toEqual([])
})

test('src/engine/media is imported statically only for its faults and paths', () => {
  const loaded = files
    .filter((file) => roomOf(file) !== 'engine/media' && file !== 'gateway.ts')
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^import (?!type).* from '(.*)'/gm)].map(([, from = '']) =>
        relative(root, join(root, dirname(file), from)),
      ),
    )
    .filter((target) => target.startsWith('engine/media/'))
  // Words, and the form of paths: they import nothing.
  expect(new Set(loaded)).toEqual(new Set(['engine/media/fault.ts', 'engine/media/paths.ts']))
  for (const file of new Set(loaded)) {
    const source = readFileSync(join(root, file), 'utf8')
    expect(source).not.toMatch(/^import (?!type)/m)
  }
})

/** What the answers of queries are made of. A read past the scope would be kept for longer than it is true. */
const queryFiles = files.filter((file) => /^(schema|engine\/pagination)\//.test(file))

/** Files of subscriptions. */
const isLive = (file: string) => /^schema\/indexer\/live\/|Subscription\.ts$/.test(file)

test('only subscriptions and waits import the live sources', () => {
  const importers = files.filter((file) => imports.get(file)?.includes('engine/graphql/live.ts'))
  expect(importers.filter((file) => !isLive(file)).toSorted()).toEqual([
    // Reads through the scope.
    'engine/graphql/finalState.ts',
    // Waits for a height, and answers with nothing that it has seen meanwhile.
    'schema/indexer/height.ts',
    // A mutation.
    'schema/movement/transfer/trackTransfer.ts',
  ])
  // Their code is in the files of subscriptions, and no other one gets a context of this type.
  const named = queryFiles.filter((file) => /\bLiveContext\b/.test(textOf(file)))
  expect(named.filter((file) => !isLive(file))).toEqual([
    'schema/movement/transfer/firstTransaction.ts',
    'schema/movement/transfer/lateGuidance.ts',
    'schema/movement/transfer/lateParts.ts',
    'schema/movement/transfer/liveProof.ts',
    'schema/router/balance/balanceWatch.ts',
  ])
})

test('queries send requests only through their request scope', () => {
  const senders = queryFiles.filter((file) => /\.send\(/.test(textOf(file)))
  expect(senders.filter((file) => !isLive(file)).toSorted()).toEqual([
    // Of the readiness of the process.
    'schema/indexer/chain.ts',
    // Is a client, which the scope sends to.
    'schema/indexer/height.ts',
    // A mutation.
    'schema/movement/transfer/trackTransfer.ts',
  ])
})

test('no resolver uses Date.now or Math.random', () => {
  const own = /\bDate\.now\b|\bnew Date\(\)|\bperformance\b|\bMath\.random\b|\brandomBytes\b/
  expect('  const left = at - Date.now()').toMatch(own)
  expect(
    [...queryFiles, ...files.filter((file) => file.startsWith('engine/graphql/'))].filter((file) =>
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
