// The archives, made as docs/index.md says, the links in them, and the programs in them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { blocksOf, textOf } from './page.mjs'
import { clone, folderOf, home } from './place.mjs'
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

/** Makes all archives. Resolves to whether that succeeded. */
export const makeArchives = () =>
  step('docs/index.md: all archives are made', async () => {
    const { text } = blocksOf('docs/index.md').find(({ text }) => text.includes('npm run archives'))
    const made = (await run('sh', ['-c', text], { cwd: clone })).filter((line) => line.endsWith('.tgz'))
    const missing = made.filter((name) => !existsSync(join(clone, name)))
    if (made.length !== 7 || missing.length > 0) throw new Error(`${made.join(' ')}, without ${missing.join(' ')}`)
    return made.join(' ')
  })

const made = () => readdirSync(join(clone, 'dist/archives'))

export async function checkLinks() {
  for (const name of made()) {
    await step(`the links in ${name}`, async () => {
      const folder = folderOf(`unpacked-${name}`)
      await run('tar', ['-xzf', join(clone, 'dist/archives', name), '-C', folder], { cwd: home })
      const dead = deadLinks(join(folder, 'package'))
      if (dead.length > 0) throw new Error(`dead links\n${dead.join('\n')}`)
    })
  }
}

const withPrograms = [
  ...['docs/index.md', 'docs/agents.md', 'docs/export.md', 'docs/hooks.md'],
  ...['apps/export', 'apps/hooks', 'packages/sandbox'].map((folder) => `${folder}/README.md`),
]

/** The programs that a page starts by npx: the archive, and the name of the program if it has several. */
const programsBy = (page) => [...new Set(textOf(page).match(/\bnpx (-y )?(-p \S+\.tgz \S+|\S+\.tgz)/g) ?? [])]

/** Each program that the pages start tells its options in an empty folder, where npx has fetched nothing. */
export async function checkFirstCommands() {
  for (const [index, page] of withPrograms.entries()) {
    const programs = programsBy(page)
    if (programs.length === 0) throw new Error(`${page} starts no program.`)
    for (const program of programs) {
      await step(`${page}: ${program} --help`, async () => {
        const cwd = folderOf(`help-${index}`)
        const cache = { npm_config_cache: join(home, `cache-${index}`) }
        const lines = await run('sh', ['-c', `${program} --help`], { cwd, env: cache })
        if (lines.length < 5) throw new Error(lines.join('\n'))
        return lines[0]
      })
    }
  }
}
