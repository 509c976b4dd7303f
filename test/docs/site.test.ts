import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FieldsOnCorrectTypeRule, KnownArgumentNamesRule, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { pageFiles, readPage } from '../support/docBlocks.ts'
import { schema } from '../support/graph.ts'

const root = join(import.meta.dirname, '..', '..')

/** The pages on the map of the documentation, which the site and the gateway of a clone show. */
const onMap: readonly string[] = JSON.parse(readPage('docs/map.json')).flatMap(
  ({ pages }: { pages: readonly string[] }) => pages,
)

test('every page of docs is on the map once', () => {
  const pages = pageFiles.flatMap((file) => /^docs\/(.+)\.md$/.exec(file)?.[1] ?? [])
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.filter((page) => !onMap.includes(page))).toEqual([])
  expect(onMap.filter((page, at) => onMap.indexOf(page) !== at)).toEqual([])
})

test('the README of every package that is published is on the map', () => {
  const published = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).filter((name) => {
      const manifest = `${folder}/${name}/package.json`
      if (!existsSync(join(root, `${folder}/${name}/README.md`)) || !existsSync(join(root, manifest))) return false
      return !JSON.parse(readPage(manifest)).private
    }),
  )
  expect(published.length).toBe(6)
  expect(published.filter((name) => !onMap.includes(name === 'client' ? name : `packages/${name}`))).toEqual([])
})

/** Pages with tables that are written from the code, or compared with it. */
const withTablesOfCode = ['docs/actions.md', 'docs/guidance.md', 'docs/operating/settings.md']

test.each(pageFiles.filter((file) => file.startsWith('docs/') && !withTablesOfCode.includes(file)))(
  '%s has at most 1,500 words',
  (file) => {
    expect(readPage(file).split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1_500)
  },
)

test.each(['docker', 'angular', 'stuck'])('a heading has the word "%s", for which readers search', (word) => {
  const headings = pageFiles.flatMap((page) => readPage(page).match(/^#+ .+$/gm) ?? [])
  expect(headings.filter((heading) => heading.toLowerCase().includes(word))).not.toEqual([])
})

/** Whether a text between backticks begins as an operation, or as a field of `Query` that has arguments or fields. */
function isOperation(text: string): boolean {
  const [, name = '', next] = /^(\w+) ?([({])/.exec(text) ?? []
  if (['subscription', 'mutation'].includes(name)) return next === '{'
  return name in (schema.getQueryType()?.getFields() ?? {})
}

/** An operation that leaves values out, as `account(address:) { activity }`, so that it can be parsed. */
function completed(text: string): string {
  const whole = text.replace(/(\w+:)(?= ?[,)}])/g, '$1 null').replace(/ ?\{ … \}| …|\(\.\.\.\)/g, '')
  return /^(subscription|mutation) /.test(text) ? whole : `{ ${whole} }`
}

test.each([
  ['docs/llms.txt', 12],
  ['docs/from-rest.md', 40],
  ['docs/from-wallet.md', 12],
  ['docs/faq.md', 0],
])('the inline operations of %s are valid', (file, least) => {
  const text = readPage(file).replaceAll(/```.*?```/gs, '')
  const operations = [...text.matchAll(/`([^`]+)`/g)]
    .map(([, operation = '']) => operation)
    .filter((operation) => isOperation(operation) && !/ \| /.test(operation))
  expect(operations.length).toBeGreaterThanOrEqual(least)
  for (const operation of operations) {
    const rules = [FieldsOnCorrectTypeRule, KnownArgumentNamesRule]
    expect(validate(schema, parse(completed(operation)), rules), operation).toEqual([])
  }
})

test('the pages that llms.txt names exist', () => {
  const paths = [...readPage('docs/llms.txt').matchAll(/\(\/docs\/(.+?)\.md\)/g)]
  const files = paths.map(([, page]) => `docs/${page}.md`)
  // That one is made of `examples/documents`.
  const written = files.filter((path) => path !== 'docs/documents.md')
  expect(written.filter((path) => !pageFiles.includes(path))).toEqual([])
  expect(written.length).toBeGreaterThan(8)
})

/** The anchors of the headings of a page, as GitHub and the site make them. */
const anchorsOf = (text: string): string[] =>
  [...text.replaceAll(/```.*?```/gs, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each([...pageFiles, 'packages/client/README.md'])('the links of %s lead to existing targets', (file) => {
  const text = readPage(file).replaceAll(/```.*?```/gs, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const dead = links.filter((link) => {
    if (/^https?:/.test(link)) return false
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? file : join(dirname(file), path)
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsOf(readPage(target)).includes(anchor)
  })
  expect(dead).toEqual([])
})

test('the README of the client package links only to files of its archive', () => {
  const links = [...readPage('packages/client/README.md').matchAll(/\]\(([^)\s]+)\)/g)]
  expect(links.filter(([, link]) => !/^(https?:|#)/.test(String(link)))).toEqual([])
})
