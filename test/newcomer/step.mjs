/**
 * Does one step, and writes a line on how it ended. A step that fails fails the check, and the next ones are still done.
 * Resolves to whether it succeeded.
 */
export async function step(name, work) {
  const begin = Date.now()
  const seconds = () => `${((Date.now() - begin) / 1000).toFixed(1)} s`.padStart(8)
  try {
    const note = await work()
    process.stdout.write(`ok   ${seconds()}  ${name}${note ? `: ${note}` : ''}\n`)
    return true
  } catch (error) {
    process.exitCode = 1
    process.stdout.write(`FAIL ${seconds()}  ${name}: ${error.message}\n`)
    return false
  }
}
