import { readFileSync } from 'node:fs'

const pages = new URL('../pages/', import.meta.url)

/** The entry of a page: its title is its first heading. Throws if there is no such page. */
const page = (path) => {
  const [, text] = /^# (.+)$/m.exec(readFileSync(new URL(`${path}.md`, pages), 'utf8')) ?? []
  return { text: text.replaceAll('`', ''), link: `/${path === 'index' ? '' : path}` }
}

const group = (text, paths) => ({ text, items: paths.map(page) })

/** Written beside the pages of the schema. */
const schemaIndex = new URL('schema/index.json', pages)
const schema = JSON.parse(readFileSync(schemaIndex, 'utf8'))

/** The map of the documentation, which the gateway shows in a clone too. `test/docs` checks that every page of `docs` is on it. */
const map = JSON.parse(readFileSync(new URL('../../../docs/map.json', import.meta.url), 'utf8'))
const groups = map.map(({ title, pages }) => group(title, pages))

/** The schema comes before the last group, which is about the project. */
const guide = groups.toSpliced(-1, 0, { text: 'Schema', link: '/schema/' })

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
