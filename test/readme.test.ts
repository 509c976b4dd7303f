import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { sandboxChains } from '../packages/sandbox/src/chains.ts'
import { settingNames, settingOf } from '../src/app/config/settings/settings.ts'
import { limitNames, limitOf } from '../src/engine/limits/limits.ts'
import { blocksOf, readPage } from './support/docBlocks.ts'
import { filledLeaves, selectedLeaves } from './support/shownFields.ts'
import { startWorld } from './support/world.ts'

const readme = readPage('README.md')
const settings = readPage('docs/operating/settings.md')

test('the README is short and begins with two commands', () => {
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900)
  expect(/```sh\n(.*?)```/s.exec(readme)?.[1]).toMatch(/^npm start .*\nnpm test /)
})

test('the first operation of the README has data in each field', async () => {
  await using world = await startWorld({ chains: sandboxChains })
  const [{ query } = { query: '' }] = blocksOf('README.md')
  const filled = filledLeaves(await world.data(query))
  for (const leaf of selectedLeaves(parse(query))) expect(filled).toContain(leaf)
})

test('docs/operating/settings.md names every setting', () => {
  for (const name of settingNames) {
    const { flag, env } = settingOf(name)
    expect(settings).toContain(`| \`--${flag}\` | \`${env}\` |`)
  }
})

test('docs/operating/settings.md has the table of limits', () => {
  for (const name of limitNames) {
    const { flag, env } = settingOf(name)
    const { default: usual, unit, min, max, description } = limitOf(name)
    const row = `| \`--${flag}\` | \`${env}\` | ${usual} ${unit} | ${min} to ${max} | ${description} |`
    expect(settings).toContain(row)
  }
})

test('CONTRIBUTING begins with the layout, and names only sources that exist', () => {
  const page = readPage('CONTRIBUTING.md')
  expect(/^## .*/m.exec(page)?.[0]).toBe('## Layout')
  const text = page.replaceAll(/```.*?```/gs, '')
  const named = [...text.matchAll(/`((?:src|packages|examples|\.github)\/[\w./-]+)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(25)
  expect(named.filter((path) => !existsSync(join(import.meta.dirname, '..', path)))).toEqual([])
})
