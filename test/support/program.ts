import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Json } from './http.ts'

/** The program as a process of its own. */
export interface RunningProgram {
  readonly child: ChildProcess
  /** Its exit code. Null if a signal ended it. */
  readonly exited: Promise<number | null>
  /** All that it has written to stderr. */
  readonly errors: () => string
  /** The lines of its log that have a message. */
  readonly logged: (message: string) => Json[]
}

/** Tests of other packages run these programs too. */
const cwd = fileURLToPath(new URL('../..', import.meta.url))

const running = new Set<ChildProcess>()

/** Holds the id of the process that compiles. */
const turn = `${cwd}node_modules/.portolan-compiling`

/**
 * Compiles the program, as these processes run it. One process at a time: the first writes what has changed, and the
 * others find nothing to write. So no program runs from files that are half written.
 */
export async function compileProgram(): Promise<void> {
  while (!takeTurn()) await pause(100)
  try {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], { cwd })
  } finally {
    rmSync(turn)
  }
}

/** Whether the turn was free. A process that was killed has left its turn. */
function takeTurn(): boolean {
  try {
    writeFileSync(turn, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  try {
    process.kill(Number(readFileSync(turn, 'utf8')), 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') rmSync(turn, { force: true })
  }
  return false
}

/** Ends all programs that a test has left. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
}

/** Runs Node with these arguments. */
export function runProgram(args: readonly string[], env: Record<string, string> = {}): RunningProgram {
  const child = spawn(process.execPath, args, {
    ...{ cwd, env, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  running.add(child)
  child.stdout?.resume()
  let text = ''
  child.stderr?.on('data', (chunk) => {
    text += chunk
  })
  const logged = (message: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === message)
  const exited = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return { child, exited, errors: () => text, logged }
}

/** A gateway that listens, and its URL as its log says it. */
export async function serveProgram(
  flags: readonly string[],
  env: Record<string, string> = {},
): Promise<RunningProgram & { readonly url: string }> {
  const port = flags.includes('--port') ? [] : ['--port', '0']
  const program = runProgram(['dist/main.js', ...port, ...flags], env)
  const lines = createInterface(program.child.stderr ?? process.stdin)
  for await (const line of lines) {
    const { msg, url } = line.startsWith('{') ? JSON.parse(line) : {}
    if (msg === 'listening') {
      program.child.stderr?.resume()
      return { ...program, url: String(url) }
    }
  }
  throw new Error(`it does not listen: ${program.errors()}`)
}

/**
 * Sends queries on one connection, one after the other, until the gateway closes it after a response.
 * Returns how each ended: its status, or the code of the fault.
 */
export async function loadUntilClosed(url: string): Promise<(number | string)[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const outcomes: (number | string)[] = []
  const query = JSON.stringify({ query: '{ chain { block(height: 1) { hash } } }' })
  let isClosed = false
  while (!isClosed) {
    const outcome = await new Promise<number | string>((resolve) => {
      const headers = { 'content-type': 'application/json' }
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        isClosed = response.headers.connection === 'close'
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
      sent.once('error', (error: NodeJS.ErrnoException) => {
        isClosed = true
        resolve(error.code ?? error.message)
      })
      sent.end(query)
    })
    outcomes.push(outcome)
  }
  return outcomes
}
