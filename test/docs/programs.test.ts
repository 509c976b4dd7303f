import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sandboxChains } from '../../src/sandbox/chains.ts'
import { pageFiles, readPage } from '../support/docBlocks.ts'
import { isInstalled } from '../support/installed.ts'
import { startWorld, type World } from '../support/world.ts'

// Programs on the pages that are neither GraphQL nor TypeScript: they are run as they stand, but for the port.

const run = promisify(execFile)

const documents = join(import.meta.dirname, '..', '..', 'examples', 'documents')

/** The programs of a page in one language, against a gateway. */
const programsOf = (page: string, language: string, { url }: World): string[] =>
  [...readPage(page).matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, text = '']) => text.replaceAll('http://127.0.0.1:4000', new URL(url).origin),
  )

const startNetwork = () => startWorld({ chains: sandboxChains })

test.skipIf(!isInstalled('curl', { isOptional: true }))(
  'the commands of docs/guides/curl.md get answers',
  async () => {
    await using world = await startNetwork()
    const commands = programsOf('docs/guides/curl.md', 'sh', world)
    // An event stream has no end.
    const [query = '', stream, schemas = ''] = commands
    expect(stream).toContain('curl -N')
    const answer = await run('sh', ['-c', query])
    expect(JSON.parse(answer.stdout).data.chains).toHaveLength(3)
    const texts = await run('sh', ['-c', schemas], { maxBuffer: 2 ** 22 })
    expect(texts.stdout.match(/^type Query \{/gm)).toHaveLength(2)
  },
)

test.skipIf(!isInstalled('python3', { isOptional: true }))(
  'the programs of docs/guides/python.md run',
  async () => {
    await using world = await startNetwork()
    const [ask = '', pages = ''] = programsOf('docs/guides/python.md', 'python', world)
    const first = await run('python3', ['-c', ask])
    expect(first.stdout).toContain("'transactionCount': 2")
    const { stdout } = await run('python3', ['-c', ask + pages])
    const heights = stdout.trim().split('\n').slice(1).map(Number)
    expect(heights).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
  },
)

test('documents that programs import have the names of code generators', () => {
  const files = readdirSync(documents).map((name) => readFileSync(join(documents, name), 'utf8'))
  const pages = pageFiles.map(readPage)
  const operations = [...files, ...pages].join('\n').matchAll(/^(?:query|subscription) (\w+)/gm)
  const names = new Set([...operations].map(([, name]) => `${name}Document`))
  const imported = pages
    .flatMap((text) => [...text.matchAll(/^import \{ (.+) \} from '.\/gql\/(.+)'$/gm)])
    .filter(([, , module]) => module !== 'resumes')
    .flatMap(([, list = '', module]) => list.split(', ').map((name) => ({ name, module })))
    // The type of a subscription's events has the name of its document, with another ending.
    .map(({ name, module }) => ({
      name: name.replace(/^type (\w+)Subscription$/, '$1Document'),
      module,
    }))
  expect(imported.length).toBeGreaterThanOrEqual(8)
  expect(imported.filter(({ name, module }) => module !== 'graphql' || !names.has(name))).toEqual(
    [],
  )
})

test('the program of docs/recipes.md writes activity as CSV', async () => {
  await using world = await startNetwork()
  const [program = ''] = programsOf('docs/recipes.md', 'js', world)
  // Fewer pages than a reader wants.
  const short = program.replace('page < 50', 'page < 2')
  expect(short).not.toBe(program)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', short], {
    maxBuffer: 2 ** 22,
  })
  const [head, ...rows] = stdout.trim().split('\n')
  expect(head).toBe('"time","chain","hash","success","what","kind","amount","asset"')
  expect(rows.length).toBeGreaterThan(200)
  for (const row of rows)
    expect(row).toMatch(/^"2026-[^"]*","\w+-1","[0-9A-F]{64}","(true|false)",/)
  expect(stdout).toMatch(/"FEE","-[\d.]+","INIT"/)
})
