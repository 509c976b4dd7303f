import { readFileSync } from 'node:fs'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { describe, expect, test } from 'vitest'
import { typePolicies } from '../../src/config/apollo.ts'
import { keys, resolvers } from '../../src/config/graphcache.ts'
import { introspection } from '../../src/config/introspection.ts'
import { possibleTypes } from '../../src/config.ts'
import { plainWorld } from '../support/documents.ts'
import { listDocuments } from '../support/lists.ts'

const world = plainWorld()
const sdl = readFileSync(new URL('../../../../schema.graphql', import.meta.url), 'utf8')
const documents = listDocuments(sdl)

/** A fetch that keeps what the gateway answered. */
function recordedFetch() {
  const answers: unknown[] = []
  const send = async (...request: Parameters<typeof fetch>) => {
    const response = await fetch(...request)
    answers.push(await response.clone().json())
    return response
  }
  return { answers, send: send as typeof fetch }
}

/** Data as JSON, without the types that caches ask for. */
const plain = (data: unknown) =>
  JSON.parse(JSON.stringify(data ?? null, (name, value) => (name === '__typename' ? undefined : value)))

type Read = (text: string, send: typeof fetch) => Promise<{ sent: unknown; kept: unknown }>

const clients: Record<string, Read> = {
  async urql(text, fetch) {
    const client = new Client({
      ...{ url: world.url, preferGetMethod: false, fetch },
      exchanges: [cacheExchange({ schema: introspection, keys, resolvers }), fetchExchange],
    })
    const first = await client.query(text, {}).toPromise()
    expect(first.stale).toBe(false)
    const { data, stale } = await client.query(text, {}).toPromise()
    expect(stale).toBe(false)
    return { sent: first.data, kept: data }
  },
  async Apollo(text, fetch) {
    const client = new ApolloClient({
      link: new HttpLink({ uri: world.url, fetch }),
      cache: new InMemoryCache({ possibleTypes, typePolicies }),
    })
    const query = gql(text)
    const { data } = await client.query({ query })
    return { sent: data, kept: (await client.query({ query })).data }
  },
}

describe.each(Object.entries(clients))('%s', (_, read) => {
  test.each(documents)('has the rows that were sent: $name', async ({ text }) => {
    const { answers, send } = recordedFetch()
    const { sent, kept } = await read(text, send)
    expect(answers).toHaveLength(1)
    expect(answers[0]).not.toHaveProperty('errors')
    const [answer] = answers as { data: unknown }[]
    expect(plain(sent)).toEqual(plain(answer?.data))
    expect(plain(kept)).toEqual(plain(answer?.data))
  })
})

test('most lists have rows here, so that something is compared', async () => {
  const rows = documents.filter(({ name }) => name.endsWith('no page, nodes alone'))
  const filled = await Promise.all(
    rows.map(async ({ text }) => {
      const body = JSON.stringify({ query: text })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(world.url, { method: 'POST', headers, body })
      return /"nodes":\[\{"__typename"/.test(await response.text())
    }),
  )
  expect(filled.filter(Boolean).length).toBeGreaterThan(rows.length - 3)
})
