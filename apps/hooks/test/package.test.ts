import { execFileSync } from 'node:child_process'
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

test('the package is at most 42.5 kB, and has nothing but the program', () => {
  const isOurs = /^(dist\/.*\.(d\.ts|js)|README\.md|package\.json)$/
  expect(archive.files.filter((name) => !isOurs.test(name))).toEqual([])
  expect(archive.files).toContain('dist/streamBin.js')
  expect(archive.size).toBeLessThanOrEqual(42_500)
  expect(archive.size).toBeGreaterThan(10_000)
})
