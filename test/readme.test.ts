import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { limitNames, limitOf } from '../src/config/limits/limits.ts'
import { settingNames, settingOf } from '../src/config/settings/settings.ts'
import { sandboxChains } from '../src/sandbox/chains.ts'
import { schema } from '../src/schema/schema.ts'
import { filledLeaves, selectedLeaves } from './support/shownFields.ts'
import { startWorld } from './support/world.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
const readme = read('README.md')
const operating = read('docs/operating.md')

/** Each query of the README, with the response shown below it. */
const examples = [...readme.matchAll(/```graphql\n((?:(?!```).)*)```\s+```json\n(.*?)```/gs)].map(
  ([, query = '', answer = '']) => ({ query, answer: JSON.parse(answer) }),
)

test('the queries of the README have the responses it shows', async () => {
  await using world = await startWorld({ chains: sandboxChains })
  let routeToken = ''
  for (const { query, answer } of examples) {
    const { data } = await world.ask(
      query,
      query.includes('$routeToken') ? { routeToken } : undefined,
    )
    if (data?.route) {
      routeToken = data.route.routeToken
      data.route.routeToken = '…'
    }
    const pageInfo = data?.chain?.block.transactions.pageInfo
    if (pageInfo) {
      expect(pageInfo.endCursor).toBeTypeOf('string')
      pageInfo.endCursor = '…'
    }
    expect({ data }).toEqual(answer)
  }
  expect(examples).toHaveLength(3)
})

test('all operations of the README are valid, and the first has data in each field', async () => {
  const blocks = [...readme.matchAll(/```graphql\n(.*?)```/gs)].map(([, text = '']) => text)
  expect(blocks.length).toBeGreaterThan(examples.length)
  for (const text of blocks) expect(validate(schema, parse(text)), text).toEqual([])
  await using world = await startWorld({ chains: sandboxChains })
  const [first = ''] = blocks
  const filled = filledLeaves(await world.data(first))
  for (const leaf of selectedLeaves(parse(first))) expect(filled).toContain(leaf)
})

test('docs/operating.md names every setting', () => {
  for (const name of settingNames) {
    const { flag, env } = settingOf(name)
    expect(operating).toContain(`| \`--${flag}\` | \`${env}\` |`)
  }
})

test('docs/operating.md has the table of limits', () => {
  for (const name of limitNames) {
    const { flag, env } = settingOf(name)
    const { unit, min, max, description, ...limit } = limitOf(name)
    const row = `| \`--${flag}\` | \`${env}\` | ${limit.default} ${unit} | ${min} to ${max} | ${description} |`
    expect(operating).toContain(row)
  }
})
