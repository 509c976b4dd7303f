// Takes the script and the style sheet of GraphiQL out of the page that its package renders, and writes them
// compressed into packages/graphiql, where they are committed: what runs needs two megabytes in place of a package of
// eighteen. Run it after an update of that package.
import { mkdirSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'

const folder = new URL('../packages/graphiql/', import.meta.url)

const between = (text, open, close) => {
  const start = text.indexOf(open)
  const end = text.lastIndexOf(close)
  if (start < 0 || end < start) throw new Error(`GraphiQL renders no ${open} before ${close}.`)
  return text.slice(start + open.length, end)
}

const html = renderGraphiQL()
const parts = {
  'graphiql.css': between(html, '<style>', '</style>'),
  'graphiql.js': between(html, '<script>', 'YogaGraphiQL.renderYogaGraphiQL('),
}

mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(parts)) {
  const bytes = Buffer.from(text)
  // The best quality makes it a tenth smaller, in twenty seconds.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  writeFileSync(new URL(`${name}.br`, folder), brotliCompressSync(bytes, { params }))
}
