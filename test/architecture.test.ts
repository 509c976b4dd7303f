import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { bridges } from '../src/schema/router/bridges/bridges.ts'

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
  'app/cli': ['app/config', 'app/doctor'],
  'app/config': [],
  'app/doctor': ['app/config'],
  // The rooms of the server stand on each other, and none takes anything of the whole: clients, operation, http, then what
  // serves pages and sockets, and above them routes, which answers a path.
  server: [
    ...['server/clients', 'server/graphiql', 'server/http', 'server/metrics', 'server/operation'],
    ...['server/routes', 'server/static', 'server/ws'],
  ],
  'server/clients': [],
  // The budgets that gateways share are those of clients.
  'server/fleet': ['server/clients'],
  'server/graphiql': ['server/http', 'server/static'],
  'server/http': ['server/clients', 'server/operation'],
  'server/metrics': ['server/http'],
  'server/operation': ['server/clients'],
  'server/routes': [
    ...['server/clients', 'server/graphiql', 'server/http', 'server/metrics', 'server/operation', 'server/static'],
  ],
  'server/static': ['server/clients', 'server/http'],
  'server/ws': ['server/clients', 'server/http', 'server/operation'],
  schema: [
    'schema/account',
    'schema/amount',
    'schema/chain',
    'schema/indexer',
    'schema/movement/guidance',
    'schema/movement/live',
    'schema/movement/types',
    'schema/router',
    'schema/search',
  ],
  'schema/account': ['schema/chain'],
  'schema/amount': [],
  'schema/chain': [],
  'schema/indexer': ['schema/account', 'schema/amount', 'schema/chain'],
  // What moves between chains, by who says it. Each room takes the ones above it in this list, and the first two know
  // nothing of each other: no word of the router counts as a record of a chain.
  'schema/movement/reported': ['schema/amount', 'schema/chain', 'schema/router'],
  // The router's list of assets names the chain behind a channel.
  'schema/movement/recorded': ['schema/indexer', 'schema/router'],
  'schema/movement/joined': [
    ...['schema/movement/reported', 'schema/movement/recorded'],
    ...['schema/amount', 'schema/indexer', 'schema/router'],
  ],
  'schema/movement/types': [
    ...['schema/movement/reported', 'schema/movement/recorded', 'schema/movement/joined'],
    ...['schema/account', 'schema/amount', 'schema/chain', 'schema/indexer', 'schema/router'],
  ],
  'schema/movement/guidance': [
    ...['schema/movement/reported', 'schema/movement/recorded', 'schema/movement/joined', 'schema/movement/types'],
    ...['schema/chain', 'schema/indexer', 'schema/router'],
  ],
  'schema/movement/live': [
    ...['schema/movement/reported', 'schema/movement/recorded', 'schema/movement/joined', 'schema/movement/types'],
    ...['schema/movement/guidance', 'schema/chain', 'schema/indexer', 'schema/router'],
  ],
  'schema/router': ['schema/account', 'schema/amount', 'schema/chain', 'schema/indexer'],
  'schema/search': [
    ...['schema/movement/reported', 'schema/movement/joined', 'schema/movement/types'],
    ...['schema/account', 'schema/chain', 'schema/indexer', 'schema/router'],
  ],
  'schema/subgraph': [],
  'engine/graphql': [
    ...['engine/limits', 'engine/nftMetadata', 'engine/pagination', 'engine/signing'],
    ...['engine/upstream', 'engine/watch', 'engine/wire'],
  ],
  'engine/limits': [],
  // No GraphQL. Its queue of requests is that of upstreams.
  'engine/nftMetadata': ['engine/upstream', 'engine/wire'],
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
  undici: ['engine/upstream', 'engine/nftMetadata'],
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

/** Packages that are made with the graph, beside those that others build with. */
const apps = ['export', 'hooks']

const folderOf = (name: string) => join(root, '..', apps.includes(name) ? 'apps' : 'packages', name)

/** The files of a package of this repository, and what each imports. */
function importsOf(name: string): readonly (readonly [file: string, targets: readonly string[]])[] {
  const folder = join(folderOf(name), 'src')
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

test.each(Object.entries(ours))('the package %s imports no more of ours than %s', (name, allowedOnes) => {
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
  'the archive of the package %s has the modules of the kit that it imports, and no others',
  (name) => {
    const settings = readFileSync(join(folderOf(name), 'tsconfig.kit.json'), 'utf8')
    const files: readonly string[] = JSON.parse(settings).files
    const kit = join(folderOf('kit'), 'src')
    expect(files.map((file) => relative(kit, join(folderOf(name), file))).toSorted()).toEqual(neededOf(name))
  },
)

test('the modules of the kit that browsers load need nothing but each other', () => {
  const kit = new Map(importsOf('kit'))
  const folder = join(root, '..', 'apps', 'explorer', 'src')
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

test('src/engine/nftMetadata is imported statically only for its faults', () => {
  const loaded = files
    .filter((file) => roomOf(file) !== 'engine/nftMetadata' && file !== 'gateway.ts')
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^import (?!type).* from '(.*)'/gm)].map(([, from = '']) =>
        relative(root, join(root, dirname(file), from)),
      ),
    )
    .filter((target) => target.startsWith('engine/nftMetadata/'))
  // Words: they import nothing.
  expect(new Set(loaded)).toEqual(new Set(['engine/nftMetadata/fault.ts']))
  for (const file of new Set(loaded)) {
    const source = readFileSync(join(root, file), 'utf8')
    expect(source).not.toMatch(/^import (?!type)/m)
  }
})

/** What the answers of queries are made of. A read past the scope would be kept for longer than it is true. */
const queryFiles = files.filter((file) => /^(schema|engine\/pagination)\//.test(file))

/** Files of subscriptions, of what they watch, and of the mutation that waits. */
const isLive = (file: string) => /^schema\/(indexer|movement)\/live\/|(Subscription|Watch)\.ts$/.test(file)

test('only subscriptions and waits import the live sources', () => {
  const importers = files.filter((file) => imports.get(file)?.includes('engine/graphql/live.ts'))
  expect(importers.filter((file) => !isLive(file)).toSorted()).toEqual([
    // Reads through the scope.
    'engine/graphql/finalState.ts',
    // Waits for a height, and answers with nothing that it has seen meanwhile.
    'schema/indexer/height.ts',
  ])
  // Their code is in the files of subscriptions, and no other one gets a context of this type.
  const named = queryFiles.filter((file) => /\bLiveContext\b/.test(textOf(file)))
  expect(named.filter((file) => !isLive(file))).toEqual([])
})

test('queries send requests only through their request scope', () => {
  const senders = queryFiles.filter((file) => /\.send\(/.test(textOf(file)))
  expect(senders.filter((file) => !isLive(file)).toSorted()).toEqual([
    // Of the readiness of the process.
    'schema/indexer/chain.ts',
    // Is a client, which the scope sends to.
    'schema/indexer/height.ts',
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

/** Where the name of a bridge decides nothing. */
const harmless: readonly string[] = [
  // An example in the description of a field.
  'src/schema/movement/types/hop.ts ibc_transfer',
  // An event of the module of coins has the name that a router gives to a hop over IBC.
  'packages/sandbox/src/router/bridges/packets.ts ibc_transfer',
  'packages/sandbox/src/world/ibc.ts ibc_transfer',
  'packages/sandbox/src/world/stories/packets.ts ibc_transfer',
]

test.each([
  ['src', 'schema/router/bridges'],
  ['packages/sandbox/src', 'router/bridges'],
])('in %s only the file of a bridge names it', (top, folder) => {
  const place = join(root, '..', top)
  const quoted = readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...new Set(readFileSync(join(place, file), 'utf8').match(/(?<=['"`])\w+(?=['"`])|(?<=[{,]\s*)\w+(?=: )/g))]
        .filter((name) => !harmless.includes(`${top}/${file} ${name}`))
        .map((name) => ({ file, name })),
    )
  const filesOf = (name: string) => quoted.filter((each) => each.name === name).map(({ file }) => file)
  for (const { id, operation, hop } of bridges) {
    // `transfer`, the key of an operation over IBC, is an everyday word.
    for (const name of [id, hop.key, ...operation.keys.filter((key) => key !== 'transfer')]) {
      const found = filesOf(name)
      expect(found.length, `${name} in ${found.join()}`).toBeLessThanOrEqual(1)
      expect(found.filter((file) => !file.startsWith(`${folder}/`))).toEqual([])
    }
    // Bridges can share the words for states.
    const elsewhere = Object.keys(hop.states).flatMap((word) =>
      filesOf(word).flatMap((file) => (file.startsWith(`${folder}/`) ? [] : [`${word} in ${file}`])),
    )
    expect(elsewhere).toEqual([])
  }
  expect(filesOf('OPINIT')).toEqual([`${folder}/opInit.ts`])
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
