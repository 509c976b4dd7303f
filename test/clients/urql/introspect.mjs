// The introspection that graphcache wants: without descriptions, as a module.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { buildSchema, introspectionFromSchema } from 'graphql'

const schema = buildSchema(readFileSync('../../../schema.graphql', 'utf8'))
const introspection = introspectionFromSchema(schema, { descriptions: false })
mkdirSync('__generated__', { recursive: true })
writeFileSync('__generated__/introspection.json', JSON.stringify(introspection))
