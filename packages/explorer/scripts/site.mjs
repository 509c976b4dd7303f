// Completes the build: compresses the files, and writes which paths are pages. The server reads both.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
writeFileSync(join(folder, 'site.json'), JSON.stringify({ pages }))
