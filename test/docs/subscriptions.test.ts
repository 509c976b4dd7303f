import { getOperationAST, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { sandboxChains } from '../../packages/sandbox/src/chains.ts'
import { blocksOf, pageFiles, readPage, shownAnswer } from '../support/docBlocks.ts'
import { schema } from '../support/graph.ts'
import { startRouterWorld } from '../support/routerWorld.ts'
import type { Data } from '../support/world.ts'

// Watches every subscription of the pages in the sandbox, and compares its events with those that the page shows.

/** Milliseconds between two readings of the clock, and how long a subscription is watched. */
const step = 100
const minute = 60_000

interface Shown {
  readonly query: string
  readonly variables: Record<string, Data> | undefined
  /** The events below the block, with the seconds at which they came. */
  readonly events: readonly TimedEvent[]
}

interface TimedEvent {
  readonly seconds: number
  readonly event: Data
}

/** Subscriptions that a page has in a program or a command, in single quotes. */
const quoted = /'(?:query=)?(subscription [^'\n]+)'/g

/** The next block of events on a page: each has the seconds since the start before its JSON. */
const timedEvents = /^```\n(?=\d+\.\d +\{)(.+?)^```$/ms

/** The events that a page shows in the section of a block, which ends with the next heading or block of GraphQL. */
function eventsAfter(text: string): TimedEvent[] {
  const section = text.slice(0, text.search(/^(#|```graphql)/m) >>> 0)
  const [, lines = ''] = timedEvents.exec(section) ?? []
  return lines
    .split(/^(?=\d+\.\d)/m)
    .filter((line) => line !== '')
    .map((line) => {
      const [, seconds, json = ''] = /^(\d+\.\d)(.+)$/s.exec(line) ?? []
      return { seconds: Number(seconds), event: JSON.parse(json) }
    })
}

function subscriptionsOf(file: string): Shown[] {
  const text = readPage(file)
  const blocks = blocksOf(file)
    .filter(({ query }) => /^\s*subscription\b/.test(query))
    .map(({ query, variables, end }) => ({
      ...{ query, variables },
      events: eventsAfter(text.slice(end)),
    }))
  const inPrograms = [...text.matchAll(quoted)].map(([, query = '']) => ({
    ...{ query, variables: undefined },
    events: [],
  }))
  return [...blocks, ...inPrograms]
}

/** The events of a minute, or until the end. */
async function eventsOf({ query, variables }: Shown): Promise<readonly TimedEvent[]> {
  await using world = await startRouterWorld({ chains: sandboxChains, isSandbox: true })
  const watch = await world.watch(query, variables)
  const timed: TimedEvent[] = []
  const note = () => {
    for (const data of watch.events.slice(timed.length)) {
      expect(Array.isArray(data), JSON.stringify(data)).toBe(false)
      const [event] = Object.values(data ?? {})
      timed.push({ seconds: Math.round(world.clock.now() / 100) / 10, event: shownAnswer(event) })
    }
  }
  await world.clock.advance(0)
  note()
  for (let time = 0; time < minute && watch.end === undefined; time += step) {
    await world.clock.advance(step)
    note()
  }
  return timed
}

const pages = pageFiles.flatMap((file) => {
  const subscriptions = subscriptionsOf(file)
  return subscriptions.length > 0 ? [{ file, subscriptions }] : []
})

test('some pages have subscriptions, and one shows their events', () => {
  expect(pages.length).toBeGreaterThanOrEqual(6)
  const shown = pages.flatMap(({ subscriptions }) => subscriptions.flatMap(({ events }) => events))
  expect(shown.length).toBeGreaterThanOrEqual(3)
})

describe.each(pages)('$file', ({ subscriptions }) => {
  test('has subscriptions whose events are as the page shows', async () => {
    for (const shown of subscriptions) {
      const document = parse(shown.query)
      expect(validate(schema, document)).toEqual([])
      expect(getOperationAST(document)?.operation).toBe('subscription')
      const seen = await eventsOf(shown)
      expect(seen.length, shown.query).toBeGreaterThan(0)
      expect(seen).toEqual(expect.arrayContaining([...shown.events]))
    }
  }, 120_000)
})
