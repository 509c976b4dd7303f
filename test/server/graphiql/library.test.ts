import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import { expect, test } from 'vitest'

const readPart = (name: string) =>
  brotliDecompressSync(readFileSync(new URL(`../../../packages/graphiql/${name}.br`, import.meta.url))).toString()

test('the GraphiQL files match the version in package.json', () => {
  const html = renderGraphiQL()
  for (const name of ['graphiql.js', 'graphiql.css']) {
    const part = readPart(name)
    expect(part.length).toBeGreaterThan(100_000)
    expect(html.includes(part), `run scripts/graphiql.mjs for ${name}`).toBe(true)
  }
})
