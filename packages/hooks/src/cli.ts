import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@portolan/client'
import { replay, resume, skip, statusOf } from './commands.ts'
import { type HooksConfig, readConfig } from './config.ts'
import type { HooksIo } from './io.ts'
import { takeLock } from './lock.ts'
import { createPost } from './post/post.ts'
import { runHook } from './runHook.ts'
import { openStore } from './store.ts'

const help = `Sends live events of a Portolan gateway to URLs and chats.

  portolan-hooks run    --config hooks.json [--state <folder>]
  portolan-hooks status --config hooks.json [--state <folder>]
  portolan-hooks replay <hook> --from <cursor> --config hooks.json
  portolan-hooks resume <hook> --config hooks.json
  portolan-hooks skip   <hook> --config hooks.json

  run     Sends events until it is stopped.
  status  How far each hook is.
  replay  Sends the events after a cursor again. Each message has its cursor.
  resume  Sends the event again that a hook was parked with: its receiver refused it for a day.
  skip    Moves that event into a file beside the state, and continues after it.

  --config <file>   The hooks: see the README.
  --state <folder>  How far each hook is. Default: the name of that file with .state at its end.
  --help            This text.

If the graph needs a key, PORTOLAN_API_KEY has it. All commands but status need run to be stopped.
`

/** The surroundings of the command: those of hooks, its environment, and its output. */
export interface HooksCliIo extends HooksIo {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
}

interface Command {
  readonly run: (typeof commands)[number]
  readonly hook: string
  readonly from: string
  readonly folder: string
  readonly config: HooksConfig
}

const commands = ['run', 'status', 'replay', 'resume', 'skip'] as const

/** Runs a command line. Resolves to the exit code: 2 for wrong options or a wrong file, 1 if it failed. */
export async function runHooks(argv: readonly string[], io: HooksCliIo): Promise<number> {
  let command: Command | undefined
  try {
    command = readCommand(argv, io.env)
  } catch (error) {
    io.log(`${messageOf(error)}\n\n${help}`)
    return 2
  }
  if (!command) {
    io.out(help)
    return 0
  }
  try {
    await runCommand(command, io)
    return 0
  } catch (error) {
    io.log(messageOf(error))
    return 1
  }
}

async function runCommand({ run, hook, from, folder, config }: Command, io: HooksCliIo): Promise<void> {
  const store = await openStore(folder)
  const options = { store, folder }
  if (run === 'status') {
    for (const { name } of config.hooks) io.out(`${await statusOf(name, options)}\n`)
    return
  }
  await using _lock = await takeLock(folder)
  if (run === 'run') {
    const client = createClient({ url: config.url, apiKey: io.env.PORTOLAN_API_KEY })
    const post = createPost(config.rules)
    await Promise.all(config.hooks.map((each) => runHook(each, { client, store, io, post })))
    return
  }
  const done = {
    replay: () => replay(hook, from, options),
    resume: () => resume(hook, options),
    skip: () => skip(hook, options),
  }
  io.out(`${await done[run]()}\n`)
}

/** Undefined if it asks for help. Throws an Error if it is wrong. */
function readCommand(argv: readonly string[], env: HooksCliIo['env']): Command | undefined {
  const text = { type: 'string' as const, default: '' }
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { config: text, state: text, from: text, help: { type: 'boolean', short: 'h', default: false } },
  })
  if (values.help) return undefined
  const [name, hook = '', ...more] = positionals
  const run = commands.find((each) => each === name)
  if (!run || more.length > 0) throw new Error(`Name one command: ${commands.join(', ')}.`)
  if (values.config === '') throw new Error('The option --config has the file of hooks.')
  const readFile = (file: string) => readFileSync(join(dirname(values.config), file), 'utf8')
  const config = readConfig(readFileSync(values.config, 'utf8'), { env, readFile })
  const names = config.hooks.map((each) => each.name)
  const isOfAll = run === 'run' || run === 'status'
  if (isOfAll && hook !== '') throw new Error(`${run} is for all hooks.`)
  if (!isOfAll && !names.includes(hook)) throw new Error(`Name one of the hooks: ${names.join(', ')}.`)
  if ((run === 'replay') !== (values.from !== '')) throw new Error('The option --from has the cursor of a replay.')
  const folder = values.state || `${values.config}.state`
  return { run, hook, from: values.from, folder, config }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
