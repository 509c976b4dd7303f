import { readFileSync } from 'node:fs'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { configFiles } from '../../scripts/config.ts'

const folder = new URL('../../src/config/generated/', import.meta.url)
const schema = buildSchema(
  readFileSync(new URL('../../../../schema.graphql', import.meta.url), 'utf8'),
)

// `npm run config` writes them.
test.each(Object.entries(configFiles(schema)))(
  '%s is what schema.graphql makes it',
  async (name, text) => {
    await expect(text).toMatchFileSnapshot(new URL(name, folder).pathname)
  },
)
