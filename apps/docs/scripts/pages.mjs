// Writes the pages of the site into `pages`: the Markdown of `docs`, pages of the repository that belong to them,
// and a page for each type of the schema.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSchema } from 'graphql'
import { elsewhere } from './places.mjs'
import { schemaPages } from './schemaPages.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const pages = fileURLToPath(new URL('../pages/', import.meta.url))

/** Where a file of the repository is in the site, with an anchor. Undefined if it is not there. */
function placeOf(path) {
  const [, page] = /^docs\/(.+\.md)$/.exec(path) ?? []
  const [, document] = /^examples\/documents\/(.+)\.graphql$/.exec(path) ?? []
  return elsewhere[path] ?? page ?? (document && `documents.md#${document}`)
}

/**
 * The text of a page with its links as the site has them. A link to a file that is not in the site becomes its text:
 * readers of the site have no checkout.
 */
function moveLinks(text, path) {
  const place = placeOf(path)
  return text.replace(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, label, target) => {
    if (/^(https?:|#|mailto:)/.test(target)) return link
    const [file, anchor] = target.split('#')
    const found = placeOf(posix.join(posix.dirname(path), file))
    if (!found) return label
    const relative = posix.relative(posix.dirname(place), found)
    return `[${label}](${relative.startsWith('.') ? '' : './'}${relative}${anchor ? `#${anchor}` : ''})`
  })
}

function write(name, text) {
  const file = join(pages, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

rmSync(pages, { recursive: true, force: true })
for (const name of readdirSync(join(root, 'docs'), { recursive: true })) {
  const path = posix.join('docs', name.replaceAll('\\', '/'))
  if (extname(name) === '.md') write(name, moveLinks(readFileSync(join(root, path), 'utf8'), path))
  else if (extname(name) === '.txt') write(`public/${name}`, readFileSync(join(root, path), 'utf8'))
  else if (extname(name) !== '') {
    mkdirSync(dirname(join(pages, name)), { recursive: true })
    cpSync(join(root, path), join(pages, name))
  }
}
for (const [path, name] of Object.entries(elsewhere)) {
  write(name, moveLinks(readFileSync(join(root, path), 'utf8'), path))
}
const folder = join(root, 'examples/documents')
const documents = Object.fromEntries(
  readdirSync(folder).map((name) => [name.replace('.graphql', ''), readFileSync(join(folder, name), 'utf8')]),
)
const shown = Object.entries(documents).map(([name, text]) => `## ${name}\n\n\`\`\`graphql\n${text}\`\`\`\n`)
const costs = 'What they cost is in [screens](./screens.md).'
write('documents.md', `# Documents of the screens\n\n${costs}\n\n${shown.join('\n')}`)
const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'))
for (const [name, text] of Object.entries(schemaPages(schema, documents))) write(`schema/${name}`, text)
