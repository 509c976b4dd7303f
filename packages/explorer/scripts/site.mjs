// Completes the build: compresses the files.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const folder = fileURLToPath(new URL('../../../dist/explorer', import.meta.url))

for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.(js|css|svg|html)$/.test(name)) continue
  const bytes = readFileSync(join(folder, name))
  writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes))
}
