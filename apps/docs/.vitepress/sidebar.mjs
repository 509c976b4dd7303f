import { readFileSync } from 'node:fs'

const pages = new URL('../pages/', import.meta.url)

/** The entry of a page: its title is its first heading. Throws if there is no such page. */
const page = (path) => {
  const [, text] = /^# (.+)$/m.exec(readFileSync(new URL(`${path}.md`, pages), 'utf8')) ?? []
  return { text: text.replaceAll('`', ''), link: `/${path === 'index' ? '' : path}` }
}

const group = (text, paths, collapsed) => ({ text, collapsed, items: paths.map(page) })

/** Written beside the pages of the schema. */
const schemaIndex = new URL('schema/index.json', pages)
const schema = JSON.parse(readFileSync(schemaIndex, 'utf8'))

/** The map of the documentation. `test/docs` checks that every page of `docs` is on it. */
const guide = [
  group('First steps', ['index', 'concepts', 'nulls', 'screens', 'documents', 'explorer', 'faq']),
  group('Guides', [
    ...['guides/react', 'guides/vue', 'guides/svelte', 'guides/apollo', 'guides/urql', 'guides/relay'],
    ...['guides/fetch', 'guides/react-native', 'guides/nextjs', 'guides/python', 'guides/curl', 'guides/sign'],
  ]),
  group('The graph', [
    ...[
      'activity',
      'actions',
      'bridge-transfers',
      'transfers',
      'guidance',
      'live',
      'pagination',
      'amounts',
      'errors',
      'cost',
      'nft-media',
    ],
  ]),
  group('Coming from', ['from-rest', 'from-wallet']),
  group('Programs', ['testing', 'embedding', 'recipes', 'agents', 'export', 'hooks', 'federation']),
  group('Packages', [
    ...['client', 'packages/export', 'packages/hooks', 'packages/mcp', 'packages/sandbox', 'packages/words'],
  ]),
  group('Operating', [
    ...['operating/settings', 'operating/scaling', 'operating/caching', 'operating/security', 'operating/metrics'],
    ...['operating/doctor', 'operating/runbook', 'operating/troubleshooting', 'operating/upgrades', 'scale'],
  ]),
  { text: 'Schema', link: '/schema/' },
  group('Project', ['changelog', 'architecture', 'schema-changes', 'left-out', 'dependencies']),
]

const [operations, types, shared] = schema.map(({ text, items }) => ({ text, items }))
const all = { text: 'Schema', items: [{ text: 'All types', link: '/schema/' }] }

/**
 * The pages of a type name those with the same first letter. With all types on it, the map would be most of each page,
 * and the pages of the schema most of the package.
 */
const letters = [...new Set(types.items.map(({ text }) => text[0]))]
const ofLetters = letters.map((letter) => {
  const items = types.items.filter(({ text }) => text.startsWith(letter))
  return [`/schema/${letter}`, [all, operations, { text: letter, items }, shared]]
})

export const sidebar = {
  ...Object.fromEntries(ofLetters),
  '/schema/': [all, operations, shared],
  '/': guide,
}
