// A contestant as a process of its own. It reports its URL, and when asked its use of CPU and memory.
const [modulePath, upstreamUrl] = process.argv.slice(2)
const { start } = await import(modulePath)

const { url } = await start(upstreamUrl)

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpuMicros: user + system, rss: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit(0))
process.send({ url })
