// The bodies that the load sends: each new, a bounded set over and over, or one and the same.
import { explorer } from './explorer.mjs'
import { scenarios } from './scenarios.mjs'

/** Distinct operations of the warm load. */
const warmOperations = 200

/** The number in the extensions, which nobody reads, makes each body new where the variables do not. */
const bodyOf = ({ query, variables }, cursors, i) =>
  JSON.stringify({ query, variables: variables(i, cursors), extensions: { n: i } })

/** What all contestants must answer alike, before a load and after a warm one. */
const samples = (scenario, cursors) => [1, 2, 3].map((i) => bodyOf(scenario, cursors, i))

/** A scenario whose every request asks for another page or record. */
const cold = (title) => ({
  title,
  places: scenarios[title].places,
  samples: (cursors) => samples(scenarios[title], cursors),
  /** Each process has caches of its own, so the numbers begin anew with each. */
  bodies(cursors) {
    let sent = 10
    return () => {
      sent += 1
      return bodyOf(scenarios[title], cursors, sent)
    }
  },
})

/** A scenario whose requests are a bounded set, each sent once before anything is timed. */
const repeated = (title, name, count) => ({
  title: `${title}, ${name}`,
  coldTitle: title,
  needsCache: true,
  samples: (cursors) => samples(scenarios[title], cursors),
  firstPass: (cursors) => Array.from({ length: count }, (_, i) => bodyOf(scenarios[title], cursors, i + 1)),
  bodies(cursors) {
    const all = this.firstPass(cursors)
    let sent = 0
    return () => {
      sent += 1
      return all[sent % all.length]
    }
  },
})

/** The users of an explorer, while a block arrives each second. */
const mixed = {
  title: 'mixed',
  blockIntervalMs: 1_000,
  samples: (_cursors, upstream) => {
    const next = explorer(7, () => upstream.height())
    return Array.from({ length: 30 }, () => JSON.stringify(next()))
  },
  bodies(_cursors, upstream, seed) {
    const next = explorer(seed, () => upstream.height())
    return () => JSON.stringify(next())
  },
}

/** The loads of a scenario: cold, and where its answers are final also warm. */
export function workloadsOf(title) {
  if (title === 'mixed') return [mixed]
  if (scenarios[title] === undefined) throw new Error(`There is no scenario '${title}'.`)
  if (!scenarios[title].isFinal) return [cold(title)]
  return [
    cold(title),
    repeated(title, `${warmOperations} distinct, warm`, warmOperations),
    repeated(title, 'the same again', 1),
  ]
}

/** The names of all scenarios. */
export const titles = [...Object.keys(scenarios), 'mixed']
