// Programs that the check starts. Each is a group of its own, since npx and npm have children.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const running = new Set()

/** The environment of a reader: without what npm sets for the scripts of this project. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$|INIT_CWD$)/.test(name)),
)
environment.PATH = environment.PATH.split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')
Object.assign(environment, { npm_config_update_notifier: 'false', npm_config_audit: 'false' })
Object.assign(environment, { npm_config_fund: 'false', NO_COLOR: '1' })

/** Waits until a check gives a value that counts. It asks every 200 ms, for at most two minutes. */
export async function until(what, check) {
  const end = Date.now() + 120_000
  while (Date.now() < end) {
    const value = await check()
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${what}: not within two minutes`)
}

/** Starts a program. `lines` has what it has written to its output, `errors` the beginning of the other stream. */
export function start(command, args, { cwd, env = {} }) {
  const child = spawn(command, args, { cwd, env: { ...environment, ...env }, detached: true })
  const ended = once(child, 'exit')
  const program = {
    ...{ lines: [], errors: '', code: undefined },
    write: (line) => child.stdin.write(`${line}\n`),
    /** Waits for a line of its output. */
    line: (pattern) =>
      until(`"${pattern}" of ${command} ${args.join(' ')}`, () => {
        const found = program.lines.find((line) => pattern.test(line))
        if (found === undefined && program.code !== undefined) throw new Error(program.errors)
        return found
      }),
    async ended() {
      await ended
      return program.code
    },
    /** Ends the group. Those that do not end within ten seconds are killed. */
    async stop(signal = 'SIGTERM') {
      const end = (name) => {
        try {
          process.kill(-child.pid, name)
        } catch (error) {
          if (error.code !== 'ESRCH') throw error
        }
      }
      end(signal)
      const timer = setTimeout(end, 10_000, 'SIGKILL')
      await ended
      clearTimeout(timer)
      end('SIGKILL')
      running.delete(program)
    },
  }
  running.add(program)
  child.on('error', (error) => {
    program.errors += error.message
  })
  child.on('exit', (code, signal) => {
    program.code = code ?? signal
  })
  child.stdin.on('error', () => {})
  createInterface(child.stdout).on('line', (line) => program.lines.push(line))
  child.stderr.on('data', (text) => {
    program.errors = `${program.errors}${text}`.slice(0, 2_000)
  })
  return program
}

/** Runs a program to its end, for at most five minutes. Resolves to its lines. */
export async function run(command, args, options) {
  const program = start(command, args, options)
  const timer = setTimeout(() => program.stop('SIGKILL'), 300_000)
  const code = await program.ended()
  clearTimeout(timer)
  running.delete(program)
  if (code === 0) return program.lines
  throw new Error([`${args.join(' ')} ended with ${code}`, ...program.lines.slice(-30), program.errors].join('\n'))
}

export const stopAll = () => Promise.all([...running].map((program) => program.stop('SIGKILL')))
