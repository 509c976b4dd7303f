// Both packages, packed as docs/index.md says, and the links in them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { blocksOf } from './page.mjs'
import { archives, folderOf, home } from './place.mjs'
import { run } from './processes.mjs'
import { step } from './step.mjs'

/** The relative links of the Markdown in an unpacked archive that lead nowhere. */
const deadLinks = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.md') && !name.startsWith('dist/'))
    .flatMap((page) => {
      const text = readFileSync(join(folder, page), 'utf8').replaceAll(/```.*?```/gs, '')
      return [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
        .map(([, link]) => link)
        .filter((link) => !/^(https?|mailto):/.test(link))
        .filter((link) => !existsSync(join(folder, dirname(page), link)))
        .map((link) => `${page}: ${link}`)
    })

/** Packs both packages. Resolves to whether that succeeded. */
export const pack = () =>
  step('docs/index.md: both packages are packed', async () => {
    const { text } = blocksOf('docs/index.md').find(({ text }) => text.includes('npm pack'))
    for (const command of text.trim().split('\n')) await run('sh', ['-c', command], { cwd: home })
    const names = readdirSync(home).filter((name) => name.endsWith('.tgz'))
    for (const name of names) archives[/^portolan-(client|words)/.exec(name)?.[1] ?? 'gateway'] = join(home, name)
    return names.join(' ')
  })

export async function checkLinks() {
  for (const [name, archive] of Object.entries(archives)) {
    await step(`the links in the archive of the ${name}`, async () => {
      const folder = folderOf(`unpacked-${name}`)
      await run('tar', ['-xzf', archive, '-C', folder], { cwd: home })
      const dead = deadLinks(join(folder, 'package'))
      if (dead.length > 0) throw new Error(`dead links\n${dead.join('\n')}`)
    })
  }
}
