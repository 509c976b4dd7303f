// What a process spends its time on, or what it allocates, by V8's own samples.
import { Session } from 'node:inspector/promises'

/** Bytes between two samples of the allocation. */
const samplingInterval = 8_192

/** The key under which the costs of one function are added up. */
const nameOf = ({ functionName, url, lineNumber }) => [url, functionName || `line ${lineNumber + 1}`].join(' ')

/** The time of each function itself, without those it calls, as shares of the samples that were not idle. */
function cpuCosts({ nodes, samples }) {
  const nodeOf = new Map(nodes.map((node) => [node.id, node.callFrame]))
  const costs = new Map()
  for (const id of samples) {
    const frame = nodeOf.get(id)
    if (frame.functionName === '(idle)' || frame.functionName === '(root)') continue
    const name = nameOf(frame)
    costs.set(name, (costs.get(name) ?? 0) + 1)
  }
  return costs
}

/** The bytes that each function allocated itself. */
function allocationCosts({ head }) {
  const costs = new Map()
  const add = ({ callFrame, selfSize, children }) => {
    const name = nameOf(callFrame)
    costs.set(name, (costs.get(name) ?? 0) + selfSize)
    for (const child of children) add(child)
  }
  add(head)
  return costs
}

const kinds = {
  async cpu(session) {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 200 })
    await session.post('Profiler.start')
    return async () => cpuCosts((await session.post('Profiler.stop')).profile)
  },
  async allocation(session) {
    const garbageToo = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }
    await session.post('HeapProfiler.startSampling', { samplingInterval, ...garbageToo })
    return async () => allocationCosts((await session.post('HeapProfiler.stopSampling')).profile)
  },
}

/** Starts to sample this process. The function it gives stops that, and gives pairs of a function and its cost. */
export async function startProfile(kind) {
  const session = new Session()
  session.connect()
  const stop = await kinds[kind](session)
  return async () => {
    const costs = await stop()
    session.disconnect()
    return [...costs].filter(([, cost]) => cost > 0)
  }
}
