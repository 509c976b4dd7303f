import { execFileSync } from 'node:child_process'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { readPage } from '../support/docBlocks.ts'

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
