// A contestant as a process of its own. It reports its URL, and when asked its use of CPU and memory or a profile.
import { startProfile } from './sampling.mjs'

const [modulePath, upstreamUrl] = process.argv.slice(2)
const { start } = await import(modulePath)

/** Use of this process. A contestant that is another program reports its own. */
const ownUsage = () => {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system, rss: process.memoryUsage.rss() }
}

const { url, usage = ownUsage } = await start(upstreamUrl)
let stopProfile
const answers = {
  usage,
  async startProfile(kind) {
    stopProfile = await startProfile(kind)
  },
  stopProfile: () => stopProfile(),
}
process.on('message', async ([name, ...args]) => process.send((await answers[name](...args)) ?? null))
process.on('disconnect', () => process.exit(0))
process.send({ url })
