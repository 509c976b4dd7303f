import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../../src/schema/schema.ts'
import * as indexer from '../../../src/server/graphiql/documents/indexer.ts'
import * as router from '../../../src/server/graphiql/documents/router.ts'

test.each(Object.entries({ ...indexer, ...router }))('the document %s is valid', (_name, text) => {
  expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([])
})
