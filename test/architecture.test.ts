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

const roomOf = (file: string) => file.split('/').slice(0, -1)[0] ?? 'root'

/** The rooms each room may import from, besides itself. The composition root may import all. */
const allowed: Record<string, string[]> = {
  upstream: [],
  live: ['upstream'],
  graph: ['upstream', 'live'],
  domain: ['graph', 'live', 'upstream'],
  server: ['domain', 'graph', 'live', 'upstream'],
  config: ['upstream'],
  sandbox: [],
}

test('every room imports only from the rooms it may know', () => {
  const breaches = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => target.endsWith('.ts') && roomOf(file) !== 'root')
      .filter((target) => roomOf(target) !== roomOf(file))
      .filter((target) => !allowed[roomOf(file)]?.includes(roomOf(target)))
      .map((target) => `${file} imports ${target}`),
  )
  expect(breaches).toEqual([])
})

/** The rooms that a package is kept to. */
const packages: Record<string, string[]> = {
  undici: ['upstream'],
  cockatiel: ['upstream'],
  dataloader: ['upstream'],
  graphql: ['graph', 'domain', 'server', 'root'],
  'graphql-yoga': ['server'],
  'graphql-ws': ['server'],
  '@pothos/core': ['graph'],
  pino: ['server', 'root'],
  'prom-client': ['server'],
}

test('every library stays in the rooms it is there for', () => {
  const breaches = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => packages[target] && !packages[target].includes(roomOf(file)))
      .map((target) => `${file} imports ${target}`),
  )
  expect(breaches).toEqual([])
})

test('every dependency is there because a file imports it', () => {
  const manifest = JSON.parse(readFileSync(join(root, '..', 'package.json'), 'utf8'))
  const imported = new Set([...imports.values()].flat())
  // Read by a dynamic import, as it is large and wanted only when a browser comes.
  imported.add('@graphql-yoga/render-graphiql')
  expect(Object.keys(manifest.dependencies).filter((name) => !imported.has(name))).toEqual([])
})

test('no file imports itself, by whatever way round', () => {
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

test('every import below src leads to a file that is there', () => {
  const missing = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => target.endsWith('.ts') && !imports.has(target))
      .map((target) => `${file} imports ${target}`),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})
