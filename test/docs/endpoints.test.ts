import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPage } from '../support/docBlocks.ts'

test('docs/from-rest.md has every endpoint of the services', () => {
  const page = readPage('docs/from-rest.md')
  const root = join(import.meta.dirname, '..', '..')
  const paths = ['src', 'packages/sandbox/src']
    .map((folder) => join(root, folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.startsWith('app/doctor'))
        .map((name) => readFileSync(join(folder, name), 'utf8')),
    )
    .flatMap((text) => [...text.matchAll(/'(\/(?:indexer|v2|op-hook|nft)[\w/{}-]*)'/g)])
    .map(([, path = '']) => path)
  expect(new Set(paths).size).toBeGreaterThan(30)
  expect([...new Set(paths)].filter((path) => !page.includes(`${path}\``))).toEqual([])
})
