import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@portolan/client'
import { listSkipped, replay, resume, skip, statusOf } from './commands.ts'
import { type HooksConfig, readConfig, textOf } from './config.ts'
import type { HooksIo } from './io.ts'
import { createPost } from './post/post.ts'
import { openRedisStore } from './redis/redisStore.ts'
import { runShared } from './redis/runShared.ts'
import { runAlone } from './runHook.ts'
import { type HookStore, openStore, takeState } from './store.ts'

const help = `Sends live events of a Portolan gateway to URLs and chats.

  portolan-hooks run     --config hooks.json [--state <place>]
  portolan-hooks status  --config hooks.json [--state <place>]
  portolan-hooks replay  <hook> --from <cursor> --config hooks.json
  portolan-hooks resume  <hook> --config hooks.json
  portolan-hooks skip    <hook> --config hooks.json
  portolan-hooks skipped <hook> --config hooks.json

  run      Sends events until it is stopped.
  status   How far each hook is.
  replay   Sends the events after a cursor again. Each message has its cursor.
  resume   Sends the event again that a hook was parked with: its receiver refused it for a day.
  skip     Sets that event aside, and continues after it.
  skipped  The events that were set aside, as lines of JSON.

  --config <file>   The hooks: see the README.
  --state <place>   How far each hook is: a file of SQLite, or for several processes the URL of a Redis, such as
                    redis://redis.example:6379 or env:REDIS_URL. Default: the name of the file with .state at its end.
  --prefix <text>   What the keys in Redis begin with. Default: portolan-hooks.
  --help            This text.

If the graph needs a key, PORTOLAN_API_KEY has it. With a file, replay, resume and skip need run to be stopped. With
Redis, replay needs it for its hook.
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
  /** A file, or the URL of a Redis. */
  readonly state: string
  readonly prefix: string
  readonly config: HooksConfig
}

const commands = ['run', 'status', 'replay', 'resume', 'skip', 'skipped'] as const

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

function runCommand(command: Command, io: HooksCliIo): Promise<void> {
  return isRedis(command.state) ? runWithRedis(command, io) : runWithFile(command, io)
}

const isRedis = (state: string): boolean => /^rediss?:\/\//.test(state)

/** One program works on a file, and its hooks are all its own. */
async function runWithFile(command: Command, io: HooksCliIo): Promise<void> {
  const { run, state, config } = command
  using store = await openStore(state)
  if (run === 'status' || run === 'skipped') return await print(command, store, io)
  using _taken = takeState(state)
  if (run !== 'run') return await change(command, store, io)
  const parts = partsOf(command, io)
  await Promise.all(config.hooks.map((each) => runAlone(each, { ...parts, store })))
}

/** Of several programs, one at a time works on each hook. */
async function runWithRedis(command: Command, io: HooksCliIo): Promise<void> {
  const { run, hook, state: url, prefix, config } = command
  using store = await openRedisStore({ url, prefix, io })
  if (run === 'status' || run === 'skipped') return await print(command, store, io)
  if (run !== 'run') {
    await using lease = await store.take(hook)
    if (!lease) throw new Error(`Another process sends the events of ${hook}. Stop it first.`)
    return await change(command, lease, io)
  }
  const parts = partsOf(command, io)
  await Promise.all(config.hooks.map((each) => runShared(each, { ...parts, store })))
}

const partsOf = ({ config }: Command, io: HooksCliIo) => ({
  ...{ io, post: createPost(config.rules) },
  client: createClient({ url: config.url, apiKey: io.env.PORTOLAN_API_KEY }),
})

/** What a command says that changes nothing. */
async function print({ run, hook, config }: Command, store: Pick<HookStore, 'load' | 'listSkipped'>, io: HooksCliIo) {
  if (run === 'skipped') return io.out(await listSkipped(hook, store))
  for (const { name } of config.hooks) io.out(`${await statusOf(name, store)}\n`)
}

/** Does what a command says to the state of its hook. */
async function change({ run, hook, from }: Command, store: HookStore, io: HooksCliIo): Promise<void> {
  if (run === 'replay') io.out(`${await replay(hook, from, store)}\n`)
  if (run === 'resume') io.out(`${await resume(hook, store)}\n`)
  if (run === 'skip') io.out(`${await skip(hook, store)}\n`)
}

/** Undefined if it asks for help. Throws an Error if it is wrong. */
function readCommand(argv: readonly string[], env: HooksCliIo['env']): Command | undefined {
  const text = { type: 'string' as const, default: '' }
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      ...{ config: text, state: text, from: text, prefix: { ...text, default: 'portolan-hooks' } },
      help: { type: 'boolean', short: 'h', default: false },
    },
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
  const state = values.state === '' ? `${values.config}.state` : textOf(values.state, { env })
  return { run, hook, from: values.from, state, prefix: values.prefix, config }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
