// A contestant as a process of its own. It reports its URL, and its use of CPU and memory when asked.
const [name, upstreamUrl] = process.argv.slice(2)
const { start } = await import(`./contestants/${name}.mjs`)
const { url } = await start(upstreamUrl)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpuMicros: user + system, rss: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit(0))
process.send({ url })
