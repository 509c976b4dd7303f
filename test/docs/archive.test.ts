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

test('each npx of an archive answers by itself whether to install it, as a script needs', () => {
  const commands = pages.flatMap((page) => readPage(page).match(/\bnpx [^\n]*\/dist\/archives\//g) ?? [])
  expect(commands.length).toBeGreaterThan(8)
  expect(commands.filter((command) => !/^npx (-y|--yes) /.test(command))).toEqual([])
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

/** Packages by the name of their archive, and those that a template of a new project brings. */
const brought: readonly (readonly [RegExp, readonly string[]])[] = [
  [/portolan\.tgz/, ['portolan']],
  [/template react|create-next-app/, ['react']],
  [/template vue/, ['vue']],
]

/** The packages that the commands of a page install. */
function installedBy(page: string): readonly string[] {
  const commands = readPage(page).match(/\b(?:npm (?:install|i|create)|npx --yes create-next-app) [^\n`]*/g) ?? []
  return commands.flatMap((command) => [
    ...command.split(' ').map((word) => word.replace(/(?<=.)@[\d.^]+$/, '')),
    ...[...command.matchAll(/portolan-(\w+)\.tgz/g)].map(([, name]) => `@portolan/${name}`),
    ...brought.flatMap(([pattern, names]) => (pattern.test(command) ? names : [])),
  ])
}

/** The pages that a page leads to. */
const targetsOf = (page: string): readonly string[] =>
  [...readPage(page).matchAll(/\]\(([^)\s#:]+\.md)(?:#[^)]*)?\)/g)].map(([, link = '']) =>
    posix.join(posix.dirname(page), link),
  )

/** What the programs of a page import, without their own files. */
function importsOf(page: string): readonly string[] {
  const programs = [...readPage(page).matchAll(/^```(?:tsx?|jsx?|vue|svelte)\b[^\n]*\n(.*?)^```/gms)].map(
    ([, text]) => text,
  )
  const paths = programs.flatMap((text = '') => [...text.matchAll(/(?:\bfrom|^import) '([^'.\n][^'\n]*)'/gm)])
  return [...new Set(paths.map(([, path = '']) => path))]
}

const packageOf = (path: string): string => path.split('/', path.startsWith('@') ? 2 : 1).join('/')

/** Those that need no installation: of Node.js, and of the folder of the project itself. */
const isOwn = (path: string): boolean => /^(node:|@\/|\$)/.test(path)

/** The README leads to the guides. React Native comes with a project for it. */
const pagesOfPrograms = pages.filter((page) => page !== 'README.md')
const ofPhones = 'react-native'

test('each page installs what its programs import, or leads to a page that does', () => {
  const lacking = pagesOfPrograms.flatMap((page) => {
    const installed = [page, ...targetsOf(page).filter((target) => pages.includes(target))].flatMap(installedBy)
    const missing = importsOf(page).filter((path) => !isOwn(path) && !installed.includes(packageOf(path)))
    return missing.filter((path) => path !== ofPhones).map((path) => `${page}: ${path}`)
  })
  expect(lacking).toEqual([])
  expect(pagesOfPrograms.flatMap(importsOf).length).toBeGreaterThan(50)
})

test('each page that imports generated code says how it is generated, or leads to a page that does', () => {
  const users = pagesOfPrograms.filter((page) => /from '(\.|@)\/gql\//.test(readPage(page)))
  const generates = (page: string) => readPage(page).includes('npx graphql-codegen')
  const lacking = users.filter(
    (page) => ![page, ...targetsOf(page)].some((name) => pages.includes(name) && generates(name)),
  )
  expect(lacking).toEqual([])
  expect(users.length).toBeGreaterThan(7)
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
