import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sandboxChains } from '../../packages/sandbox/src/chains.ts'
import { pageFiles, readPage } from '../support/docBlocks.ts'
import { isInstalled } from '../support/installed.ts'
import { startWorld, type World } from '../support/world.ts'

// Programs on the pages that are neither GraphQL nor TypeScript: they are run as they stand, but for the port.

const run = promisify(execFile)

const documents = join(import.meta.dirname, '..', '..', 'examples', 'documents')

/** The programs of a page in one language, against a gateway. */
const programsOf = (page: string, language: string, { url }: World): string[] =>
  [...readPage(page).matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) =>
    text.replaceAll('http://127.0.0.1:4000', new URL(url).origin),
  )

/** The sandbox. Its programs run beside other tests, so it waits longer for an indexer than a gateway does. */
const startNetwork = () =>
  startWorld({
    chains: sandboxChains,
    limits: { upstreamTimeoutMs: 20_000, timeoutMs: 25_000 },
  })

test.skipIf(!isInstalled('curl', { isOptional: true }))('the commands of docs/guides/curl.md get answers', async () => {
  await using world = await startNetwork()
  const commands = programsOf('docs/guides/curl.md', 'sh', world)
  // An event stream has no end.
  const [query = '', stream, schemas = ''] = commands
  expect(stream).toContain('curl -N')
  const answer = await run('sh', ['-c', query])
  expect(JSON.parse(answer.stdout).data.chains).toHaveLength(3)
  const texts = await run('sh', ['-c', schemas], { maxBuffer: 2 ** 22 })
  expect(texts.stdout.match(/^type Query \{/gm)).toHaveLength(2)
})

test.skipIf(!isInstalled('python3', { isOptional: true }))('the programs of docs/guides/python.md run', async () => {
  await using world = await startNetwork()
  const [ask = '', pages = ''] = programsOf('docs/guides/python.md', 'python', world)
  const first = await run('python3', ['-c', ask])
  expect(first.stdout).toContain("'transactionCount': 2")
  const { stdout } = await run('python3', ['-c', ask + pages])
  const heights = stdout.trim().split('\n').slice(1).map(Number)
  expect(heights).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
})

test('documents that programs import have the names of code generators', () => {
  const files = readdirSync(documents).map((name) => readFileSync(join(documents, name), 'utf8'))
  const pages = pageFiles.map(readPage)
  const operations = [...files, ...pages].join('\n').matchAll(/^(?:query|subscription) (\w+)/gm)
  const names = new Set([...operations].map(([, name]) => `${name}Document`))
  const imported = pages
    .flatMap((text) => [...text.matchAll(/^import \{ (.+) \} from '.\/gql\/(.+)'$/gm)])
    .filter(([, , module]) => module !== 'resumes')
    .flatMap(([, list = '', module]) => list.split(', ').map((name) => ({ name, module })))
    // The types of answers and events have the names of their documents, with another ending.
    .map(({ name, module }) => ({
      name: name.replace(/^type (\w+)(?:Query|Subscription)$/, '$1Document'),
      module,
    }))
  expect(imported.length).toBeGreaterThanOrEqual(8)
  expect(imported.filter(({ name, module }) => module !== 'graphql' || !names.has(name))).toEqual([])
})

/** What the CSV program of docs/recipes.md writes, as rows by their heads, and the status that it ends with. */
async function activityRows(world: World, pages: number) {
  const [program = ''] = programsOf('docs/recipes.md', 'js', world)
  // Fewer pages than a reader wants.
  const short = program.replace('maxPages = 50', `maxPages = ${pages}`)
  const args = ['--input-type=module', '-e', short]
  const done = await run(process.execPath, args, { maxBuffer: 2 ** 24 }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    ({ stdout, code }) => ({ stdout: String(stdout), code: Number(code) }),
  )
  // A text of a chain can have line breaks.
  const [heads = [], ...rows] = [...done.stdout.matchAll(/(?:"(?:[^"]|"")*",?)+\n/g)].map(([line]) =>
    [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell = '']) => cell),
  )
  const records = rows.map((row) => Object.fromEntries(heads.map((head, index) => [head, row[index]])))
  return { ...done, heads, records, notes: records.filter(({ kind }) => kind === 'NOTE') }
}

const columns = [
  ...['time', 'chain', 'hash', 'success', 'what', 'kind', 'amount', 'base units', 'asset'],
  ...['denom', 'token id'],
]

test('the program of docs/recipes.md writes activity as CSV, and says where it stopped', async () => {
  await using world = await startNetwork()
  const { heads, records, notes, code } = await activityRows(world, 2)
  expect(heads).toEqual(columns)
  const rows = records.filter(({ kind }) => kind !== 'NOTE')
  expect(rows.length).toBeGreaterThan(200)
  for (const row of rows) {
    expect(row.time).toMatch(/^2026-/)
    expect(row.chain).toMatch(/^\w+-1$/)
    expect(row.hash).toMatch(/^[0-9A-F]{64}$/)
    expect(row.success).toMatch(/^(true|false)$/)
  }
  expect(notes.map(({ what }) => what)).toEqual(['Older activity is missing: this file has 2 pages.'])
  expect(code).toBe(1)
})

test('whole units and base units have columns of their own, with all digits', async () => {
  await using world = await startNetwork()
  const { records } = await activityRows(world, 2)
  const coins = records.filter(({ kind }) => kind === 'COIN' || kind === 'FEE' || kind === 'TOKEN')
  const whole = coins.filter(({ amount }) => amount !== '')
  for (const { amount = '', 'base units': units = '' } of whole) {
    const [before = '', after = ''] = amount.split('.')
    // The same digits, and perhaps more zeros.
    expect(units).toMatch(
      new RegExp(
        `^-?0*${BigInt(before + after)
          .toString()
          .replace('-', '')}0*$`,
      ),
    )
  }
  expect(whole.length).toBeGreaterThan(100)
  const unknown = coins.filter(({ amount }) => amount === '')
  for (const row of unknown) expect(row['base units']).toMatch(/^-?\d+$/)
})

test('a chain that is down is named in the file, which has the rest', async () => {
  await using world = await startNetwork()
  world.sandbox.faults.set('galley-1', '/', { kind: 'status', status: 500 })
  const { records, notes, code } = await activityRows(world, 2)
  const rows = records.filter(({ kind }) => kind !== 'NOTE')
  expect(new Set(rows.map(({ chain }) => chain))).toEqual(new Set(['harbor-1', 'lantern-1']))
  expect(rows.length).toBeGreaterThan(100)
  expect(notes).toContainEqual(
    expect.objectContaining({
      chain: 'galley-1',
      what: expect.stringMatching(/^Rows of this chain are missing: UPSTREAM_/),
    }),
  )
  expect(code).toBe(1)
})

test.skipIf(!isInstalled('duckdb', { isOptional: true }))(
  'the sums by DuckDB have 18 decimals, and say what they leave out',
  async () => {
    await using world = await startNetwork()
    const folder = mkdtempSync(join(tmpdir(), 'portolan-'))
    const rows = ['0.000000000000000001', '12345678901234567890.5', '1.0000000000000000001', '']
    const lines = rows.map((amount) => `"evm-1","COIN","${amount}","WEI","wei"`)
    writeFileSync(join(folder, 'activity.csv'), ['chain,kind,amount,asset,denom', ...lines].join('\n'))
    const [sums = ''] = programsOf('docs/recipes.md', 'sh', world)
    const [first = ''] = sums.split(/(?=^duckdb )/m)
    const { stdout } = await run('sh', ['-c', first.replace('duckdb ', 'duckdb -csv ')], {
      cwd: folder,
    })
    expect(stdout.trim().split('\n')[1]).toBe('evm-1,wei,WEI,12345678901234567890.500000000000000001,2')
    rmSync(folder, { recursive: true })
  },
)
