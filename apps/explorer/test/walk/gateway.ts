import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A built gateway over the sandbox, by default on a free port. */
export async function startGateway({
  port = '0',
  isOdd = false,
  isSandbox = true,
  settings = {},
}: {
  port?: string
  isOdd?: boolean
  /** Without it, `settings` names the services. */
  isSandbox?: boolean
  settings?: Readonly<Record<string, string>>
} = {}) {
  const main = fileURLToPath(new URL('../../../../dist/main.js', import.meta.url))
  const env = { ...process.env, PORT: port, LOG_LEVEL: 'info', ...settings }
  const sandbox = isSandbox ? ['--sandbox', isOdd ? 'odd' : 'true'] : []
  const gateway = spawn(process.execPath, [main, ...sandbox], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let origin: string | undefined
  for await (const line of createInterface({ input: gateway.stderr })) {
    const entry = JSON.parse(line)
    if (entry.msg !== 'listening') continue
    origin = new URL(entry.url).origin
    break
  }
  gateway.stderr.resume()
  if (!origin) throw new Error('The gateway did not start.')
  const query = async (document: string) => {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: document }),
    })
    return (await response.json()).data
  }
  return { origin, query, stop: () => gateway.kill('SIGKILL') }
}
