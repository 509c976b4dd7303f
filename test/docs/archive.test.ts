import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { pageFiles, readPage } from '../support/docBlocks.ts'

const root = join(import.meta.dirname, '..', '..')

test('Markdown links in the package archive lead to files in it', () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [{ files }] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
  const packed: string[] = files.map(({ path }: { path: string }) => path)
  const isPacked = (path: string) =>
    packed.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`))
  const pages = packed.filter((path) => path.endsWith('.md') && !path.startsWith('dist/'))
  const dead = pages.flatMap((page) => {
    const text = readPage(page).replaceAll(/```.*?```/gs, '')
    return [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => !isPacked(posix.join(posix.dirname(page), link)))
      .map((link) => `${page}: ${link}`)
  })
  expect(dead).toEqual([])
  expect(pages.length).toBeGreaterThan(30)
})

const published = [
  ...['client', 'mcp', 'sandbox', 'words'].map((name) => `packages/${name}`),
  ...['export', 'hooks'].map((name) => `apps/${name}`),
]

test.each(published)('the README of %s links to nothing outside its archive', (folder) => {
  const text = readPage(`${folder}/README.md`).replaceAll(/```.*?```/gs, '')
  const links = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !/^(https?|mailto):/.test(link) && link.startsWith('..'))).toEqual([])
})

/** All pages that tell their readers what to install or to run. */
const pages = [
  ...new Set([...pageFiles, ...['README.md', 'docs/llms.txt'], ...published.map((folder) => `${folder}/README.md`)]),
]
/** Gone from all pages as soon as a registry has the packages. */
const sentence =
  'The packages are not on npm yet: `npm run archives` in a clone of Portolan, here `../portolan`, makes their archives.'
const archive = /\/portolan\/dist\/archives\/([\w.-]+)/g

test('no command on a page names a package that no registry has', () => {
  const commands = pages.flatMap((page) => readPage(page).match(/\b(npx|npm (i|install)|"npx",) .*/g) ?? [])
  expect(commands.length).toBeGreaterThan(30)
  expect(commands.filter((command) => /[\s"`](@portolan\/\w+|portolan)(?=[\s"`]|$)/.test(command))).toEqual([])
})

test('each page that uses an archive says how to make it, before the first one and in one wording', () => {
  const users = pages.filter((page) => readPage(page).search(archive) >= 0)
  expect(users.length).toBeGreaterThan(12)
  const isTold = (page: string) => {
    const text = readPage(page)
    const at = text.indexOf(sentence)
    return at >= 0 && at < text.search(archive)
  }
  expect(users.filter((page) => !isTold(page))).toEqual([])
})

test('the archives that pages name are those of the published packages', () => {
  const manifests = [
    'package.json',
    ...['packages', 'apps'].flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => `${folder}/${name}/package.json`),
    ),
  ]
  const packages = manifests.flatMap((file) => (existsSync(join(root, file)) ? [JSON.parse(readPage(file))] : []))
  const published = packages.filter(
    ({ private: isPrivate, name }) => !isPrivate && /^(@portolan\/|portolan$)/.test(name),
  )
  const archives = published.map(({ name }) => `${name.replace('@portolan/', 'portolan-')}.tgz`)
  const named = pages.flatMap((page) => [...readPage(page).matchAll(archive)].map(([, name]) => name))
  expect([...new Set(named)].sort()).toEqual(archives.sort())
})

test('an absolute path to an archive begins with "file:", since npx runs a path that exists as a program', () => {
  const paths = pages.flatMap((page) => readPage(page).match(/\S*\/path\/to\/portolan\/dist\/archives/g) ?? [])
  expect(paths.length).toBeGreaterThan(1)
  expect(paths.filter((path) => !/"file:\//.test(path))).toEqual([])
})
