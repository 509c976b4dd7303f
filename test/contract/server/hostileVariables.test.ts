import { expect, test } from 'vitest'
import { post } from '../../support/http.ts'
import { startWorld } from '../../support/world.ts'

test.each([
  ['lists', '['.repeat(20_000), ']'.repeat(20_000)],
  ['objects', '{"a":'.repeat(20_000), `0${'}'.repeat(20_000)}`],
])('a variable of %s nested 20,000 levels deep is refused', async (_, open, close) => {
  await using world = await startWorld()
  const query = 'query ($e: TransferMessagesInput!) { transferMessages(input: $e) { minAmountOut } }'
  const body = `{"query":${JSON.stringify(query)},"variables":{"e":{"routeToken":"a","addresses":[],"slippageTolerancePercent":"1","extra":{"a":${open}${close}}}}}`
  const { status, body: answer } = await post(world.url, body)
  expect(status).toBe(200)
  expect(answer.errors).toMatchObject([
    {
      message: 'A variable nests deeper than 200 levels.',
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ])
  expect(world.requests()).toEqual([])
})

test('the error for a long number shows its digits', async () => {
  await using world = await startWorld()
  const body = '{"query":"query($a: String!) { search(text: $a) { hasMore } }","variables":{"a":12345678901234567890}}'
  const { body: answer } = await post(world.url, body)
  expect(answer.errors[0].message).toContain('12345678901234567890')
  expect(JSON.stringify(answer.errors[0].message)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
})
