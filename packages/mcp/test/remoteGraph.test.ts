import { expect, test } from 'vitest'
import { readSdl } from '../src/readSdl.ts'
import { remoteGraph } from '../src/remoteGraph.ts'
import { startGraph } from './support/standIn.ts'

const milliseconds = 60_000

test('a graph at a URL answers queries, with the key', async () => {
  await using there = await startGraph()
  const graph = remoteGraph({ url: there.url, apiKey: 'secret' })
  expect(await graph.query({ query: '{ count }' })).toEqual({ data: { count: 7 } })
  expect(there.keys).toEqual(['Bearer secret'])
})

test('a watch ends at its last event, or with the stream', async () => {
  await using there = await startGraph()
  const graph = remoteGraph({ url: there.url })
  const watch = (last: number) =>
    graph.watch({ query: 'subscription { state }' }, { milliseconds, isLast: ({ data }) => data?.state === last })
  expect(await watch(2)).toEqual({ data: { state: 2 } })
  expect(await watch(9)).toEqual({ data: { state: 3 } })
})

test('a graph that cannot be read is an error with a code', async () => {
  const graph = remoteGraph({
    url: 'http://graph.example',
    fetch: () => Promise.reject(new Error('no route')),
  })
  const answer = {
    errors: [
      {
        message: 'The graph could not be read: no route.',
        extensions: { code: 'UPSTREAM_UNAVAILABLE' },
      },
    ],
  }
  expect(await graph.query({ query: '{ count }' })).toEqual(answer)
  const options = { milliseconds, isLast: () => true }
  expect(await graph.watch({ query: 'subscription { state }' }, options)).toEqual(answer)
  await expect(readSdl(graph)).rejects.toThrow('no route')
})

test('the schema of a graph is read without descriptions', async () => {
  await using there = await startGraph()
  const sdl = await readSdl(remoteGraph({ url: there.url }))
  expect(sdl).toContain('type Query {\n  count: Int\n}')
  expect(sdl).not.toContain('How many')
})
