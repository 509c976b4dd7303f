import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const compressible = new Set(['.css', '.html', '.js', '.json', '.md', '.svg', '.txt'])

/**
 * Completes the build: writes the colours of code as a file, puts the source of each page beside it, compresses
 * all files, and writes where the server has them.
 */
export function finishSite({ outDir, srcDir, css }) {
  const hash = createHash('sha256').update(css).digest('hex').slice(0, 10)
  const style = `assets/code-${hash}.css`
  writeFileSync(join(outDir, style), css)
  refuseDeadAnchors(outDir)
  const link = `<link rel="stylesheet" href="/docs/${style}">`
  for (const name of filesIn(outDir, '.html')) {
    const file = join(outDir, name)
    const html = readFileSync(file, 'utf8').replace('</head>', () => `${link}</head>`)
    // Elements with these styles get them again from the script, which the policy allows to set them.
    writeFileSync(file, html.replace(/(<[^>]*?) style="[^"]*"/g, '$1'))
  }
  for (const name of filesIn(srcDir, '.md')) cpSync(join(srcDir, name), join(outDir, name))
  for (const name of filesIn(outDir)) {
    if (!compressible.has(extname(name))) continue
    const bytes = readFileSync(join(outDir, name))
    // Below that, a coding saves less than its header costs.
    if (bytes.length < 500) continue
    if (extname(name) !== '.md') {
      writeFileSync(join(outDir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
    writeFileSync(join(outDir, `${name}.br`), brotliCompressSync(bytes))
  }
  const site = { base: '/docs/', atRoot: ['llms.txt'] }
  writeFileSync(join(outDir, 'site.json'), JSON.stringify(site))
}

/** Throws if a link leads to a heading that its page does not have. VitePress looks for pages only. */
function refuseDeadAnchors(outDir) {
  const pages = new Map(filesIn(outDir, '.html').map((name) => [name, readFileSync(join(outDir, name), 'utf8')]))
  const dead = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/<a [^>]*?href="([^"#]*)#([^"]+)"/g)].flatMap(([, path, anchor]) => {
      const target = path === '' ? name : fileOf(new URL(path, `http://site/docs/${name}`))
      const id = decodeURIComponent(anchor)
      return pages.has(target) && !pages.get(target).includes(` id="${id}"`) ? [`${name}: ${path}#${anchor}`] : []
    }),
  )
  if (dead.length > 0) throw new Error(`Links lead to headings that are not there:\n${dead.join('\n')}`)
}

/** The file of a page by its address. Empty for pages of other hosts. */
const fileOf = ({ host, pathname }) =>
  host === 'site' ? `${pathname.replace('/docs/', '').replace(/(^|\/)$/, '$1index')}.html` : ''

const filesIn = (folder, extension) =>
  readdirSync(folder, { recursive: true }).filter((name) =>
    extension ? extname(name) === extension : extname(name) !== '',
  )
