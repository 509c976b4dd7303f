// Servers under the same load, one after the other in rounds that take turns, after their answers were found equal.
import { checkEqual, readAnswers } from './answers.mjs'
import { measureWarm, post } from './measure.mjs'
import { modulePathOf, pinThisProcess, startContestant } from './processes.mjs'
import { startStandIn } from './standIn.mjs'

/** Prepares contestants to be compared before one stand-in for the upstreams. `run` gives the rounds of each by its name. */
export async function createComparison(names, { latencyMs = 0, haveAllFlags = false } = {}) {
  pinThisProcess()
  const upstream = await startStandIn()
  const modules = {}
  const cursorsOf = {}
  for (const name of names) {
    modules[name] = await import(modulePathOf(name))
    cursorsOf[name] = await modules[name].readCursors?.(upstream.url)
  }
  await upstream.delay(latencyMs)

  async function withContestant(name, use) {
    const contestant = await startContestant(name, upstream.url, { haveAllFlags })
    try {
      return await use(contestant)
    } finally {
      await contestant.stop()
    }
  }

  /** The answers of the contestants that take part, and of yoga as the judge of those that keep answers. */
  async function compareAnswers(workload, running) {
    const answersOf = {}
    for (const name of new Set([...running, ...names.filter((name) => name === 'yoga')])) {
      const bodies = workload.samples(cursorsOf[name], upstream)
      answersOf[name] = await withContestant(name, ({ url }) => readAnswers(url, bodies))
    }
    checkEqual(workload.title, answersOf)
    return answersOf
  }

  /** One round of a contestant. After a warm load its answers must still be those of the others. */
  const runOnce = (name, workload, round, options, answersOf) =>
    withContestant(name, async (contestant) => {
      const cursors = cursorsOf[name]
      for (const body of workload.firstPass?.(cursors) ?? []) await post(contestant.url, body)
      const nextBody = workload.bodies(cursors, upstream, round)
      const result = await measureWarm(contestant, upstream, { ...options, nextBody })
      if (workload.needsCache) {
        const warm = await readAnswers(contestant.url, workload.samples(cursors, upstream))
        checkEqual(workload.title, { ...answersOf, [`${name}, warm`]: warm })
      }
      return result
    })

  return {
    async run(workload, { rounds, seconds, connections }) {
      const running = names.filter((name) => !workload.needsCache || modules[name].keepsFinal)
      if (running.length === 0) return {}
      const answersOf = await compareAnswers(workload, running)
      const stopBlocks = workload.blockIntervalMs && upstream.addBlocks(workload.blockIntervalMs)
      const results = Object.fromEntries(running.map((name) => [name, []]))
      for (let round = 0; round < rounds; round += 1) {
        for (const name of running) {
          results[name].push(await runOnce(name, workload, round, { seconds, connections }, answersOf))
        }
      }
      stopBlocks?.()
      return results
    },
    close: () => upstream.close(),
  }
}
