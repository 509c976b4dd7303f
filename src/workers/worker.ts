// A signal from a terminal reaches all processes. Workers wait until the primary stops them, also
// while they load.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
// The primary has ended.
process.once('disconnect', () => process.exit(0))
const { runWorker } = await import('./runWorker.ts')
await runWorker()
