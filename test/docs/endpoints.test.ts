import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPage } from '../support/docBlocks.ts'

test('docs/from-rest.md has every endpoint of the services', () => {
  const page = readPage('docs/from-rest.md')
  const folder = join(import.meta.dirname, '..', '..', 'src')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('doctor'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /'(\/(?:indexer|v2|op-hook|nft)[\w/{}-]*)'/g,
      ),
    ])
    .map(([, path = '']) => path)
  expect(new Set(paths).size).toBeGreaterThan(30)
  expect([...new Set(paths)].filter((path) => !page.includes(`${path}\``))).toEqual([])
})
