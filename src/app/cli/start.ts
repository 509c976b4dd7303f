import { setFlagsFromString } from 'node:v8'
import { pino } from 'pino'
import { runCli } from './cli.ts'

/** Resolves at the first SIGINT or SIGTERM. A second one exits at once. */
const stopped = () =>
  new Promise<void>((resolve) => {
    let isStopping = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (isStopping) process.exit(1)
        isStopping = true
        resolve()
      })
    }
  })

/** Runs the command line of this process, and sets its exit code. */
export async function start(): Promise<void> {
  // Once a few records are cached, V8 would put all later records among its old objects. A record that is not
  // cached would then stay until the next full collection. That takes a fifth of the time of a page of blocks.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // The reader of a pipe may leave before it has read everything, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  process.exitCode = await runCli(process.argv.slice(2), {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    outIsTerminal: process.stdout.isTTY,
    log: pino.destination(2),
    isTerminal: process.stderr.isTTY,
    stopped,
    onHangup: (run) => void process.on('SIGHUP', () => void run()),
  })
}
