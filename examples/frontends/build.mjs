// Writes how the subscriptions are resumed, and bundles each page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { plugin } from '@portolan/client/codegen'
import { build } from 'esbuild'
import { buildSchema, parse } from 'graphql'

mkdirSync('__generated__', { recursive: true })
const options = { bundle: true, format: 'esm', jsx: 'automatic', logLevel: 'error' }
await build({ ...options, entryPoints: ['documents.ts'], outfile: '__generated__/documents.js' })
const documents = Object.values(await import('./__generated__/documents.js'))
const schema = buildSchema(readFileSync('../../schema.graphql', 'utf8'))
const files = documents.map((text) => ({ document: parse(text) }))
writeFileSync('__generated__/resumes.ts', plugin(schema, files))
// Warnings of the libraries are part of what is tested, so this is a development build.
const define = { 'process.env.NODE_ENV': '"development"' }
const entryPoints = ['client.tsx', 'urql.tsx', 'apollo.tsx']
await build({ ...options, define, entryPoints, outdir: '__generated__' })
