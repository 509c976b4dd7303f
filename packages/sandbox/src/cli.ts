import { parseArgs } from 'node:util'
import { faultKinds } from './control.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'

const help = `Starts a simulated network of chain indexers and a cross-chain router on 127.0.0.1.

  portolan-sandbox [options]

  --port <number>  Port of the first chain. The other services take the ports after it. Default: 0, free ports.
  --seed <text>    Determines every record. Default: portolan.
  --odd            The services are as odd as real ones can be.
  --help           This text.
`

/** The surroundings of the command: its streams, and when it should stop. */
export interface SandboxCliIo {
  out(text: string): void
  err(text: string): void
  readonly stopped: Promise<void>
}

/** Runs a sandbox until it should stop. Resolves to the exit code: 2 for wrong options, 1 if it could not start. */
export async function runSandbox(argv: readonly string[], { out, err, stopped }: SandboxCliIo): Promise<number> {
  let options: ReturnType<typeof read>
  try {
    options = read(argv)
  } catch (error) {
    err(`${messageOf(error)}\n\n${help}`)
    return 2
  }
  if (options === undefined) {
    out(help)
    return 0
  }
  try {
    const sandbox = await startSandbox(options)
    out(placesOf(sandbox))
    await stopped
    await sandbox.close()
    return 0
  } catch (error) {
    err(`The sandbox could not start: ${messageOf(error)}\n`)
    return 1
  }
}

/** The options of a command line. Undefined if it asks for help. */
function read(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string', default: '0' },
      seed: { type: 'string', default: 'portolan' },
      odd: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { port, seed, odd } = values
  if (values.help) return undefined
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_000) throw new Error('The port is a number from 0 to 65000.')
  return { port: Number(port), seed, odd }
}

/** Where the services are, and how to break them. */
function placesOf({ indexers, routerUrl, controlUrl, pricesUrl }: Sandbox): string {
  const rows = [
    ...indexers.map(({ chainId, vm, url }) => [`${chainId} (${vm})`, url] as const),
    ['router', routerUrl] as const,
    ['control', controlUrl] as const,
    ['prices', pricesUrl] as const,
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const places = rows.map(([name, url]) => `${name.padEnd(width)}  ${url}\n`)
  const [first] = indexers
  const send = (kind: string | null) =>
    `  curl ${controlUrl} -d '${JSON.stringify({ service: first?.chainId, kind })}'\n`
  return `${places.join('')}
Break a service for a minute, and mend it:

${send('error')}${send(null)}
The kinds of faults: ${faultKinds.join(', ')}. A GET of ${controlUrl} has what is broken.
`
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
