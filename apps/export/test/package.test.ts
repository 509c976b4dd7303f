import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Packed, packed } from '../../../packages/support/packed.ts'

const folder = join(import.meta.dirname, '..')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

let archive: Packed
beforeAll(() => {
  // It is compiled against the types of the client, which are built first.
  execFileSync(process.execPath, [compiler, '-b', join(folder, '../../packages/client')])
  archive = packed(folder)
})
afterAll(() => archive[Symbol.dispose]())

test('the package is at most 50 kB, and has nothing but the program', () => {
  const isOurs = /^(dist\/.*\.(d\.ts|js)|README\.md|package\.json)$/
  expect(archive.files.filter((name) => !isOurs.test(name))).toEqual([])
  expect(archive.files).toContain('dist/bin.js')
  expect(archive.size).toBeLessThanOrEqual(50_000)
  expect(archive.size).toBeGreaterThan(10_000)
})

test('only Parquet loads its library', () => {
  const loaders = archive.files
    .filter((name) => name.endsWith('.js'))
    .filter((name) => readFileSync(join(archive.folder, name), 'utf8').includes('hyparquet-writer'))
  expect(loaders).toEqual(['dist/formats/parquet.js'])
  const users = archive.files
    .filter((name) => name.endsWith('.js'))
    .filter((name) =>
      /^import (?!type).*formats\/parquet|^import .*\.\/parquet/m.test(
        readFileSync(join(archive.folder, name), 'utf8'),
      ),
    )
  expect(users).toEqual([])
})
