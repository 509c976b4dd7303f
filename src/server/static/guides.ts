import { readdir, readFile } from 'node:fs/promises'
import { plainPage } from './plainPage.ts'
import type { Pages } from './site.ts'
import { staticFile } from './staticFile.ts'

const base = '/docs/'

/**
 * The guides of a clone whose documentation has not been built: a page that lists them, and each as its Markdown, which
 * browsers show as text. Undefined if the folder is not there.
 */
export async function readGuides(folder: URL): Promise<Pages | undefined> {
  const all = await readdir(folder, { recursive: true }).catch(() => undefined)
  if (!all) return undefined
  const names = all
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
  const paths = new Set([base, ...names.map((name) => base + name)])
  const read = (name: string) => readFile(new URL(name, folder))
  const list = async () => {
    const items = await Promise.all(
      names.map(async (name) => {
        const title = /^# (.+)$/m.exec((await read(name)).toString())?.[1] ?? name
        return `<li><a href="${base}${name}">${title}</a></li>`
      }),
    )
    return plainPage(
      'Portolan: guides',
      `<h1>Guides</h1>
<p>These are the sources of the documentation. <code>npm run docs</code> builds it as a site, with search; start the gateway
again after it.</p>
<ul>
${items.join('\n')}
</ul>`,
    )
  }
  return {
    has: (path) => paths.has(path),
    fileAt(path) {
      if (path === base) return list()
      if (!paths.has(path)) return undefined
      // A file that was removed since counts as missing.
      return read(path.slice(base.length)).then(
        (identity) => staticFile({ identity }, 'asked', { 'content-type': 'text/plain; charset=utf-8' }),
        () => undefined,
      )
    },
  }
}
