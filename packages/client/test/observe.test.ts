import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { cacheExchange, fetchExchange, Client as UrqlClient } from '@urql/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribe as listen, onEnd, pipe } from 'wonka'
import { liveLink } from '../src/apollo.ts'
import type { Client } from '../src/client.ts'
import { typePolicies } from '../src/config/apollo.ts'
import { possibleTypes } from '../src/config.ts'
import type { Live } from '../src/live.ts'
import type { ObserveOptions } from '../src/observe.ts'
import { liveExchange } from '../src/urql.ts'
import { type BlocksData, blocksDocument, chainId, clientOf, startWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

interface Reader<Data> {
  readonly next: (data: Data | undefined, error: Error | undefined) => void
  readonly complete?: () => void
}

/** Libraries that subscribe with the package. Each returns what ends the subscription. */
const libraries = {
  Apollo<Data>(client: Client, text: string, variables: object, reader: Reader<Data>, options: ObserveOptions) {
    const apollo = new ApolloClient({
      link: ApolloLink.from([liveLink(client, options), new HttpLink({ uri: world.proxy.url })]),
      cache: new InMemoryCache({ possibleTypes, typePolicies }),
    })
    const live = apollo.subscribe({ query: gql(text), variables, errorPolicy: 'all' }).subscribe({
      next: ({ data, error }) => reader.next(data as Data | undefined, error),
      error: (error) => reader.next(undefined, error),
      complete: () => reader.complete?.(),
    })
    const ask = async (query: string) => (await apollo.query({ query: gql(query) })).data
    return { stop: () => live.unsubscribe(), ask }
  },
  urql<Data>(client: Client, text: string, variables: object, reader: Reader<Data>, options: ObserveOptions) {
    const urql = new UrqlClient({
      url: world.proxy.url,
      preferGetMethod: false,
      exchanges: [cacheExchange, liveExchange(client, options), fetchExchange],
    })
    const live = pipe(
      urql.subscription<Data>(text, variables),
      onEnd(() => reader.complete?.()),
      listen(({ data, error }) => reader.next(data, error)),
    )
    const ask = async (query: string) => (await urql.query(query, {}).toPromise()).data
    return { stop: () => live.unsubscribe(), ask }
  },
}

const noGap = ({ reason }: { reason: string }) => {
  throw new Error(`a gap: ${reason}`)
}

describe.each(Object.entries(libraries))('%s', (name, subscribe) => {
  test('a subscription loses no block on cuts and a gateway restart', async () => {
    const heights: number[] = []
    await new Promise<void>((resolve, reject) => {
      const { stop } = subscribe<BlocksData>(
        clientOf(world),
        blocksDocument,
        { chainId },
        {
          next(data, error) {
            if (error) return reject(error)
            if (data?.blocks.node) heights.push(data.blocks.node.height)
            if (heights.length === 2) world.proxy.cut()
            if (heights.length === 5) world.stop().then(() => world.start(), reject)
            if (heights.length < 9) return
            stop()
            resolve()
          },
        },
        { onGap: noGap },
      )
    })
    expect(heights).toEqual(Array.from({ length: 9 }, (_, index) => Number(heights[0]) + index))
  })

  test('missed events call onGap', async () => {
    const others = { signingKeys: ['another key of thirty-two bytes!'] }
    let count = 0
    let restart: Promise<void> | undefined
    const gap = await new Promise((resolve, reject) => {
      const { stop } = subscribe<BlocksData>(
        clientOf(world),
        blocksDocument,
        { chainId },
        {
          next(_, error) {
            if (error) return reject(error)
            if (++count === 2) restart = world.stop().then(() => world.start(others))
          },
        },
        {
          onGap(gap) {
            stop()
            resolve(gap)
          },
        },
      )
    })
    await restart
    await world.stop()
    await world.start()
    expect(gap).toMatchObject({ reason: expect.any(String), operation: { variables: { chainId } } })
    expect(count).toBeGreaterThan(1)
  })

  test('a finished transfer completes, and queries use the next link', async () => {
    const text = `subscription WatchTransfer($hash: String!) {
      transfer(chainId: "osmosis-1", hash: $hash) { state }
    }`
    const hash = `${name === 'urql' ? '7A' : '7B'}${'5AB1F6D0C3E94872B1D0A6F35E7C2984D6013FAE8B527C49E0D3915F7A26'}01`
    const states: (string | undefined)[] = []
    const { ask } = await new Promise<ReturnType<typeof subscribe>>((resolve, reject) => {
      const running: ReturnType<typeof subscribe> = subscribe<{ transfer: { state: string } }>(
        clientOf(world),
        text,
        { hash },
        {
          next(data, error) {
            if (error) return reject(error)
            states.push(data?.transfer.state)
          },
          complete: () => resolve(running),
        },
        { onGap: noGap },
      )
    })
    // Time runs fast here, so a busy machine can miss a state, but none comes out of its order.
    const inOrder = ['SUBMITTED', 'PENDING', 'COMPLETED_SUCCESS']
    expect([...new Set(states)]).toEqual(inOrder.filter((state) => states.includes(state)))
    expect(states.at(-1)).toBe('COMPLETED_SUCCESS')
    expect(await ask('{ service { version } }')).toMatchObject({
      service: { version: expect.any(String) },
    })
  })

  test('an error is passed to `next`', async () => {
    const error = await new Promise<Error>((resolve) => {
      subscribe<BlocksData>(
        clientOf(world),
        blocksDocument,
        { chainId: 'nowhere-1' },
        {
          next: (_, error) => error && resolve(error),
        },
        { onGap: noGap },
      )
    })
    expect(error.message).toContain('chain')
  })

  test('`stop` ends the subscription', async () => {
    const client = clientOf(world)
    const lives: Live<unknown>[] = []
    const watched = {
      ...client,
      subscribe(...asked: [string, object]) {
        const live = client.subscribe<unknown, object>(...asked)
        lives.push(live)
        return live
      },
    } as Client
    await new Promise<void>((resolve) => {
      const reader = {
        next() {
          stop()
          resolve()
        },
      }
      const options = { onGap: noGap }
      const { stop } = subscribe(watched, blocksDocument, { chainId }, reader, options)
    })
    await expect.poll(() => lives.map(({ status }) => status)).toEqual(['ended'])
  })
})
