import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, type GraphQLSchema } from 'graphql'

/** The published schema. */
export const schema: GraphQLSchema = buildSchema(
  readFileSync(join(import.meta.dirname, '../../schema.graphql'), 'utf8'),
)
