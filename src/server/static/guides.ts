import { readdir, readFile } from 'node:fs/promises'
import { escapeHtml, plainPage } from './plainPage.ts'
import type { Pages } from './site.ts'
import { staticFile } from './staticFile.ts'

const base = '/docs/'

/** A group of the map of the documentation: the names of its pages, without their ending. */
interface Group {
  readonly title: string
  readonly pages: readonly string[]
}

/** The ways out of every guide. */
const links = `<nav><a href="${base}">Guides</a> <a href="/">Explorer</a> <a href="/graphql">GraphiQL</a></nav>\n`

/**
 * The guides of a clone whose documentation has not been built: a page that lists them in the order of `map.json`, a page
 * with the text of each, and each as its Markdown. Undefined if the folder is not there.
 */
export async function readGuides(folder: URL): Promise<Pages | undefined> {
  const all = await readdir(folder, { recursive: true }).catch(() => undefined)
  if (!all) return undefined
  const names = all
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
  const sources = new Set(names.map((name) => base + name))
  const pages = new Map([...sources].map((source) => [pageOf(source), source]))
  const read = (source: string) => readFile(new URL(source.slice(base.length), folder))
  const item = async (page: string) => {
    const source = pages.get(page)
    return source && `<li><a href="${page}">${titleOf((await read(source)).toString())}</a></li>`
  }
  const section = async ({ title, pages: names }: Group) => {
    const items = await Promise.all(names.map((name) => item(base + name)))
    // Pages that only the built site has are on the map too.
    const shown = items.filter((text) => text !== undefined)
    return shown.length > 0 ? `<h2>${escapeHtml(title)}</h2>\n<ul>\n${shown.join('\n')}\n</ul>` : ''
  }
  const list = async () => {
    const map: readonly Group[] = JSON.parse(await readFile(new URL('map.json', folder), 'utf8'))
    const about = `<p>These are the sources of the documentation. <code>npm run docs</code> builds it as a site, with search;
start the gateway again after it.</p>`
    const sections = (await Promise.all(map.map(section))).filter(Boolean).join('\n')
    return plainPage('Portolan: guides', `<h1>Guides</h1>\n${about}\n${sections}`, links)
  }
  const show = async (source: string) => {
    const text = (await read(source)).toString()
    const title = titleOf(text)
    const rest = withLinks(text.replace(/^# .+\n+/, ''), source, sources)
    return plainPage(title, `<h1>${title}</h1>\n<pre>${withAnchors(rest)}</pre>`, links)
  }
  const send = async (source: string) =>
    staticFile({ identity: await read(source) }, 'asked', { 'content-type': 'text/plain; charset=utf-8' })
  return {
    has: (path) => path === base || sources.has(path) || pages.has(path),
    fileAt(path) {
      if (path === base) return list()
      const source = pages.get(path)
      if (!source && !sources.has(path)) return undefined
      // A file that was removed since counts as missing.
      return (source ? show(source) : send(path)).catch(() => undefined)
    },
  }
}

const pageOf = (source: string): string => source.replace(/\.md$/, '')

const titleOf = (text: string): string => escapeHtml(/^# (.+)$/m.exec(text)?.[1] ?? 'Guide')

/** The text of a guide as HTML: it is shown as it is, but links to other guides lead there. */
const withLinks = (text: string, source: string, sources: ReadonlySet<string>): string =>
  escapeHtml(text).replace(/\[([^\]]*)\]\(([^)\s:]+)\)/g, (link, label: string, target: string) => {
    const { pathname, hash } = new URL(target, `http://guides${source}`)
    return sources.has(pathname) ? `<a href="${pageOf(pathname)}${hash}">${label}</a>` : link
  })

/** The same with an id at each heading: the anchor that GitHub and the built site give it. */
const withAnchors = (html: string): string =>
  html.replace(/^#{2,6} (.+)$/gm, (line, heading: string) => {
    const plain = heading.replace(/<[^>]*>|&#\d+;/g, '').toLowerCase()
    const id = plain.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    return `<strong id="${id}">${line}</strong>`
  })
