import { readdirSync, readFileSync } from 'node:fs'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { configFiles } from '../../scripts/config.ts'
import { operationsFile } from '../../scripts/operations.ts'

const root = new URL('../../../../', import.meta.url)
const source = new URL('../../src/', import.meta.url)
const schema = buildSchema(readFileSync(new URL('schema.graphql', root), 'utf8'))

// `npm run config` writes them.
test.each(Object.entries(configFiles(schema)))('%s is up to date with schema.graphql', async (name, text) => {
  await expect(text).toMatchFileSnapshot(new URL(`config/generated/${name}`, source).pathname)
})

test('the generated operations match the examples', async () => {
  const folder = new URL('examples/documents/', root)
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.graphql'))
    .toSorted()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const file = new URL('operations/generated/operations.ts', source).pathname
  await expect(await operationsFile(schema, texts)).toMatchFileSnapshot(file)
})
