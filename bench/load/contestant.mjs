// A contestant as a process of its own. It reports its URL, and its use of CPU and memory when asked.
const [modulePath, upstreamUrl] = process.argv.slice(2)
const { start } = await import(modulePath)

/** Use of this process. A contestant that is another program reports its own. */
const ownUsage = () => {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system, rss: process.memoryUsage.rss() }
}

const { url, usage = ownUsage } = await start(upstreamUrl)
process.on('message', () => process.send(usage()))
process.on('disconnect', () => process.exit(0))
process.send({ url })
