import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { sandboxChains } from '../packages/sandbox/src/chains.ts'
import { namesWithVariables, readExample, runsOf, variablesOf } from './support/examples.ts'
import { type Cost, costTable, type LiveCost, liveTable } from './support/exampleTable.ts'
import { countPolls, countWatches, polledScreens } from './support/polledScreens.ts'
import { startRouterWorld } from './support/routerWorld.ts'
import { filledLeaves, selectedLeaves } from './support/shownFields.ts'
import { startWorld } from './support/world.ts'

// Runs every document of examples/documents against the sandbox, and counts what it costs. The comments of the
// documents are compared with the counts. `npm run examples` writes them into docs/screens.md; otherwise that page is
// compared too.

const isWriting = process.env.WRITE_EXAMPLES === 'true'
const pageFile = join(import.meta.dirname, '..', 'docs', 'screens.md')

/** Screens that are loaded once, in the order of docs/screens.md. */
const loaded = [
  ...['explorer-home', 'block', 'transaction', 'account', 'account-activity', 'account-transfers', 'account-nfts'],
  ...['nft', 'collection', 'token', 'balances', 'search'],
  ...['bridge-form', 'quote', 'hook', 'prepare', 'track-transfer'],
]

const live = Object.keys(polledScreens)

/** Those of chains, which share the polls of their heads. The others are of transfers. */
const ofChains = ['live-heads', 'live-blocks', 'live-activity', 'live-transaction']

const manyViewers = 50

/** Milliseconds between two users of a screen. */
const pauseMs = 10_000

/** Fields that have a value only if something is wrong, or is not as usual. */
const isOfFaults = (leaf: string): boolean => /\.(unavailableChains|notice|error|warning)\./.test(leaf)

test('comments of the example documents do not count requests', () => {
  for (const name of [...loaded, ...live]) {
    const comment = readExample(name).text.replaceAll(/^[^#].*$/gm, '')
    expect(comment.match(/upstream|\btoday\b|\bhere\b/gi) ?? [], name).toEqual([])
  }
})

test('every example document is run', () => {
  const files = readdirSync(join(import.meta.dirname, '..', 'examples', 'documents'))
  expect(files.toSorted()).toEqual([...loaded, ...live].map((name) => `${name}.graphql`).toSorted())
  for (const name of loaded) expect(readExample(name).isPolled, name).toBe(false)
  for (const name of live) {
    expect(readExample(name)).toMatchObject({ isPolled: true, operation: 'subscription' })
  }
  expect(loaded).toEqual(expect.arrayContaining(namesWithVariables))
})

const costs: Cost[] = []

/** Upstream requests of two users of a screen. */
async function countLoads(name: string): Promise<Cost> {
  await using world = await startRouterWorld({ chains: sandboxChains })
  const { text } = readExample(name)
  const load = async () => {
    const variables = await variablesOf(name, 0, world.data)
    world.sandbox.requests.length = 0
    await world.data(text, variables)
    return world.sandbox.requests.length
  }
  const first = await load()
  await world.clock.advance(pauseMs)
  return { name, first, next: await load() }
}

describe.each(loaded)('%s', (name) => {
  test('has data in each field', async () => {
    const { text } = readExample(name)
    const filled = new Set<string>()
    for (let run = 0; run < runsOf(name); run += 1) {
      // A gateway that has cached nothing but what the variables need.
      await using world = await startWorld({ chains: sandboxChains })
      const variables = await variablesOf(name, run, world.data)
      const { data, errors, sent } = await world.trace(text, variables)
      expect(errors).toBeUndefined()
      for (const leaf of filledLeaves(data)) filled.add(leaf)
      if (run > 0) continue
      const cost = await countLoads(name)
      expect(cost.first).toBe(sent.length)
      costs.push(cost)
    }
    const empty = [...selectedLeaves(parse(text))].filter((leaf) => !filled.has(leaf))
    expect(empty.filter((leaf) => !isOfFaults(leaf))).toEqual([])
  })
})

/** Screens of which all but what the first user has loaded is final, or is kept for minutes. */
const kept = ['block', 'transaction', 'token', 'balances', 'bridge-form', 'quote']

test('a screen costs at most the requests of a frontend, and a third if cached', () => {
  expect(costs.map(({ name }) => name)).toEqual(loaded)
  for (const { name, first, next } of costs) {
    const { today } = readExample(name)
    expect(first, name).toBeLessThanOrEqual(today)
    // A transfer that is further on has a transaction that can prove its end.
    expect(next, name).toBeLessThanOrEqual(name === 'track-transfer' ? today : Math.min(first, today))
    if (kept.includes(name)) expect(next * 3, name).toBeLessThanOrEqual(today)
  }
})

const liveCosts: LiveCost[] = []

/** Polls and watches screens, by one viewer and by many. Returns also what the one viewer saw. */
async function measure(names: readonly string[]) {
  const today = await countPolls(names)
  const alone = await countWatches(names, 1)
  const one = { today, here: alone.sent }
  const { sent, watches } = await countWatches(names, manyViewers)
  for (const { events, end } of watches) {
    expect(events.filter(Array.isArray)).toEqual([])
    expect([undefined, 'completed']).toContain(end)
  }
  const cost: LiveCost = {
    names,
    viewers: { one, many: { today: today * manyViewers, here: sent } },
  }
  liveCosts.push(cost)
  return { cost, alone: alone.watches }
}

describe.each(live)('%s', (name) => {
  test('has events with data in each field, and the requests of its comment', async () => {
    const { text, today, many } = readExample(name)
    const { cost, alone } = await measure([name])
    const { events = [], end } = alone[0] ?? {}
    expect(events.length).toBeGreaterThan(0)
    expect(events.filter(Array.isArray)).toEqual([])
    const isEnding = ['live-transaction', 'watch-transfer'].includes(name)
    expect(end).toBe(isEnding ? 'completed' : undefined)
    const filled = new Set(events.flatMap((event) => [...filledLeaves(event)]))
    const empty = [...selectedLeaves(parse(text))].filter((leaf) => !filled.has(leaf))
    expect(empty.filter((leaf) => !isOfFaults(leaf))).toEqual([])
    expect(cost.viewers.one.today).toBe(today)
    expect(many).toEqual(ofChains.includes(name) ? cost.viewers.many : undefined)
  }, 120_000)
})

test('live screens of chains cost at most a quarter of the polls of frontends', async () => {
  const { cost: together } = await measure(ofChains)
  const own = liveCosts.filter(({ names }) => names.every((name) => ofChains.includes(name)))
  expect(own).toHaveLength(ofChains.length + 1)
  for (const { names, viewers } of own) {
    expect(viewers.many.here * 4, names.join()).toBeLessThanOrEqual(viewers.many.today)
  }
  const alone = own.filter((cost) => cost !== together)
  const sum = alone.reduce((total, { viewers }) => total + viewers.many.here, 0)
  expect(together.viewers.many.here).toBeLessThan(sum)
}, 120_000)

test('docs/screens.md has the tables of these runs', () => {
  const tables = { loaded: costTable(costs), live: liveTable(liveCosts, manyViewers) }
  let page = readFileSync(pageFile, 'utf8')
  for (const [name, table] of Object.entries(tables)) {
    const section = new RegExp(`(?<=<!-- examples: ${name} -->\\n).*?(?=\\n<!-- /examples -->)`, 's')
    if (isWriting) page = page.replace(section, () => table)
    else expect(section.exec(page)?.[0]).toBe(table)
  }
  if (isWriting) writeFileSync(pageFile, page)
})
