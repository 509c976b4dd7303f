import { existsSync, readFileSync } from 'node:fs'

const pages = new URL('../pages/', import.meta.url)

/** The entry of a page: its title is its first heading. Throws if there is no such page. */
const page = (path) => {
  const [, text] = /^# (.+)$/m.exec(readFileSync(new URL(`${path}.md`, pages), 'utf8')) ?? []
  return { text: text.replaceAll('`', ''), link: `/${path === 'index' ? '' : path}` }
}

const group = (text, paths, collapsed) => ({ text, collapsed, items: paths.map(page) })

/** Written beside the pages of the schema. */
const schemaIndex = new URL('schema/index.json', pages)
const schema = existsSync(schemaIndex) ? JSON.parse(readFileSync(schemaIndex, 'utf8')) : []

/** The map of the documentation. `test/docs` checks that every page of `docs` is on it. */
const guide = [
  group('First steps', ['index', 'concepts', 'screens', 'documents', 'faq']),
  group('Guides', [
    ...['guides/react', 'guides/apollo', 'guides/urql', 'guides/relay', 'guides/fetch'],
    ...['guides/react-native', 'guides/nextjs', 'guides/python', 'guides/curl'],
  ]),
  group('The graph', [
    ...['activity', 'actions', 'transfers', 'live', 'pagination', 'amounts', 'errors', 'cost'],
  ]),
  group('Coming from', ['from-rest', 'from-wallet']),
  group('Programs', ['client', 'testing', 'embedding', 'recipes', 'agents', 'federation']),
  group('Operating', [
    ...['operating/settings', 'operating/scaling', 'operating/security', 'operating/metrics'],
    ...['operating/doctor', 'scale'],
  ]),
  { text: 'Schema', link: '/schema/' },
  group('Project', ['changelog', 'schema-changes', 'left-out', 'dependencies']),
]

/** The pages of the schema have a map of their own: in that of all pages it would be most of each file. */
export const sidebar = { '/schema/': schema, '/': guide }
