import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Settings of a gateway beside many other programs of tests: the sandbox can wait for a processor, and a chain that
 * takes too long is missing from an answer.
 */
export const patient = { UPSTREAM_TIMEOUT_MS: '15000', TIMEOUT_MS: '40000' }

/**
 * Starts the gateway over its sandbox as a user does, and resolves to its URL. It stops when the process
 * of the caller ends, and after 100 seconds.
 */
export async function startGateway(...options) {
  const gateway = spawn(process.execPath, ['dist/main.js', '--sandbox', '--port', '0', ...options], {
    cwd: new URL('../../', import.meta.url),
    env: patient,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  process.on('exit', () => gateway.kill())
  setTimeout(() => gateway.kill(), 100_000).unref()
  // Where no terminal is, the log says where the gateway listens.
  for await (const line of createInterface(gateway.stderr)) {
    const { url } = JSON.parse(line)
    if (url) {
      gateway.stderr.resume()
      gateway.unref()
      gateway.stderr.unref()
      return url
    }
  }
  throw new Error('The gateway exited before it was ready.')
}
