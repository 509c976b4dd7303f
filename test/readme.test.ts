import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandboxChains } from '../src/sandbox/chains.ts'
import { startWorld } from './support/world.ts'

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')

/** Each query of the README with the answer that stands below it. */
const examples = [...readme.matchAll(/```graphql\n(.*?)```\s+```json\n(.*?)```/gs)].map(
  ([, query = '', answer = '']) => ({ query, answer: JSON.parse(answer) }),
)

test('the queries of the README have the answers it shows', async () => {
  await using world = await startWorld({ chains: sandboxChains })
  let token = ''
  for (const { query, answer } of examples) {
    const { data } = await world.ask(query, query.includes('$token') ? { token } : undefined)
    if (data?.route) {
      token = data.route.token
      data.route.token = '…'
    }
    expect({ data }).toEqual(answer)
  }
  expect(examples).toHaveLength(3)
})

test('the README names every setting', async () => {
  const { help } = await import('../src/config/help.ts')
  const named = [...help.matchAll(/^ {2}(--[\w-]+) .*?([A-Z_]{4,})/gm)]
  expect(named.length).toBeGreaterThan(10)
  for (const [, flag, variable] of named) {
    expect(readme).toContain(`\`${flag}\``)
    expect(readme).toContain(`\`${variable}\``)
  }
})
