// Writes a module with a document for each list of the schema, for the Relay compiler.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const root = new URL('../../../', import.meta.url)
const { buildSync } = createRequire(new URL('packages/client/package.json', root))('esbuild')
const { outputFiles } = buildSync({
  entryPoints: [new URL('packages/client/test/support/lists.ts', root).pathname],
  ...{ bundle: true, platform: 'node', format: 'esm', write: false },
})
mkdirSync('lists', { recursive: true })
writeFileSync('lists/documents.mjs', outputFiles[0].text)
const { listDocuments } = await import(new URL('lists/documents.mjs', import.meta.url))

const all = listDocuments(readFileSync(new URL('schema.graphql', root), 'utf8'))
const text = all.map(({ text }, index) => `graphql\`query list${index}Query ${text}\``).join('\n')
// Relay wants the name of a module at the beginning of the names of its operations.
writeFileSync('lists/list.js', `${text}\n`)
writeFileSync('lists/names.json', JSON.stringify(all.map(({ name }) => name)))
