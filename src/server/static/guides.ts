import { readdir, readFile } from 'node:fs/promises'
import { plainPage } from './plainPage.ts'
import type { Pages } from './site.ts'
import { staticFile } from './staticFile.ts'

const base = '/docs/'

/** The ways out of every guide. */
const header = `<nav><a href="${base}">Guides</a> <a href="/">Explorer</a> <a href="/graphql">GraphiQL</a></nav>`

/**
 * The guides of a clone whose documentation has not been built: a page that lists them, a page with the text of each, and
 * each as its Markdown. Undefined if the folder is not there.
 */
export async function readGuides(folder: URL): Promise<Pages | undefined> {
  const all = await readdir(folder, { recursive: true }).catch(() => undefined)
  if (!all) return undefined
  const names = all
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
  const sources = new Set(names.map((name) => base + name))
  const paths = new Set([base, ...sources, ...names.map((name) => pageOf(base + name))])
  const read = (name: string) => readFile(new URL(name, folder))
  const list = async () => {
    const items = await Promise.all(
      names.map(async (name) => {
        const title = titleOf((await read(name)).toString()) ?? name
        return `<li><a href="${pageOf(base + name)}">${escaped(title)}</a></li>`
      }),
    )
    return plainPage(
      'Portolan: guides',
      `${header}
<h1>Guides</h1>
<p>These are the sources of the documentation. <code>npm run docs</code> builds it as a site, with search; start the gateway
again after it.</p>
<ul>
${items.join('\n')}
</ul>`,
    )
  }
  const show = async (path: string) => {
    const text = (await read(`${path.slice(base.length)}.md`)).toString()
    return plainPage(escaped(titleOf(text) ?? path), `${header}\n<pre>${withLinks(text, path, sources)}</pre>`)
  }
  return {
    has: (path) => paths.has(path),
    fileAt(path) {
      if (path === base) return list()
      if (!paths.has(path)) return undefined
      // A file that was removed since counts as missing.
      if (!sources.has(path)) return show(path).catch(() => undefined)
      return read(path.slice(base.length)).then(
        (identity) => staticFile({ identity }, 'asked', { 'content-type': 'text/plain; charset=utf-8' }),
        () => undefined,
      )
    },
  }
}

const pageOf = (source: string): string => source.replace(/\.md$/, '')

const titleOf = (text: string): string | undefined => /^# (.+)$/m.exec(text)?.[1]

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The text of a guide as HTML: it is shown as it is, but links to other guides lead there. */
const withLinks = (text: string, path: string, sources: ReadonlySet<string>): string =>
  escaped(text).replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link, label: string, target: string) => {
    if (!URL.canParse(target, `http://guides${path}`)) return link
    const { pathname, host } = new URL(target, `http://guides${path}`)
    return host === 'guides' && sources.has(pathname) ? `<a href="${pageOf(pathname)}">${label}</a>` : link
  })
