import { expect, test } from 'vitest'
import { clientCode, indented } from '../../src/parts/clientCode.ts'

/** Runs a program with a stand-in for the client, and resolves to what it asked for and printed. */
async function run(code: string) {
  const seen: unknown[] = []
  const client = {
    query: async (...asked: unknown[]) => seen.push(['query', ...asked]),
    async *subscribe(...asked: unknown[]) {
      seen.push(['subscribe', ...asked])
      yield { kind: 'gap' }
      yield { kind: 'data', data: 'event' }
    },
  }
  const body = code.replace(/^import .*\n/, '')
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor
  await new AsyncFunction('createClient', 'console', body)(
    ({ url }: { url: string }) => {
      seen.push(url)
      return client
    },
    { log: (value: unknown) => seen.push(value) },
  )
  return seen
}

const url = 'https://a.example/graphql'

test('the code runs the query with its variables, and escapes special characters', async () => {
  const query = 'query A($text: String!) { search(text: $text) { hasMore } } # `$' + '{x}` \\n'
  const variables = { text: '`$' + '{1}` "\\ \u2028' }
  const code = clientCode({ query, variables: JSON.stringify(variables, null, 2), url })
  expect(await run(code)).toEqual([url, ['query', `\n${query}\n`, variables], 2])
})

test('the code prints each event of a subscription', async () => {
  const query = 'subscription B { chainHeads { height } }'
  const code = clientCode({ query, variables: '{}', url })
  expect(await run(code)).toEqual([url, ['subscribe', `\n${query}\n`, {}], 'event'])
})

test('indented indents by braces and parentheses', () => {
  const generated = `
    query Chain($id: ChainId!) {
  chain(chainId: $id) {
    ...Parts
  }
}
    fragment Parts on Chain {
  chainId
blocks(
first: 2
) {
      nodes {
        height
      }
    }
}`
  expect(indented(generated)).toBe(`query Chain($id: ChainId!) {
  chain(chainId: $id) {
    ...Parts
  }
}

fragment Parts on Chain {
  chainId
  blocks(
    first: 2
  ) {
    nodes {
      height
    }
  }
}`)
})
