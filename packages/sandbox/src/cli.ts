import { parseArgs } from 'node:util'
import { type ProgramIo, runProgram, untilAborted } from '#kit/cli'
import { faultKinds } from './control.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'

const help = `Starts a simulated network of chain indexers and a cross-chain router on 127.0.0.1.

  portolan-sandbox [options]

  --port <number>  Port of the first chain. The other services take the ports after it. Default: 0, free ports.
  --seed <text>    Determines every record. Default: portolan.
  --odd            The services are as odd as real ones can be.
  --help           This text.
`

/** Runs a sandbox until it should stop. Resolves to the exit code: 2 for wrong options, 1 if it could not start. */
export const runSandbox = (argv: readonly string[], io: Omit<ProgramIo, 'env'>): Promise<number> =>
  runProgram(argv, io, {
    ...{ help, read, fault: 'The sandbox could not start: ' },
    async run(options) {
      const sandbox = await startSandbox({ ...options, preparesAccounts: true })
      io.out(placesOf(sandbox))
      await untilAborted(io.signal)
      await sandbox.close()
      return 0
    },
  })

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
