// Completes the build: compresses the files, and writes which paths are pages and what they ask for first.
// The server reads all of it.
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const folder = fileURLToPath(new URL('../../../dist/explorer', import.meta.url))
const source = readFileSync(new URL('../src/app/pages.ts', import.meta.url), 'utf8')
const [, list = ''] = /pageNames = \[([^\]]*)\]/.exec(source) ?? []
const pages = [...list.matchAll(/'([a-z]*)'/g)].map(([, name]) => name)

for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.(js|css|svg|html)$/.test(name)) continue
  const bytes = readFileSync(join(folder, name))
  writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes))
}
const documents = JSON.parse(readFileSync(join(folder, 'documents.json'), 'utf8'))
unlinkSync(join(folder, 'documents.json'))
writeFileSync(join(folder, 'site.json'), JSON.stringify({ pages, documents }))
