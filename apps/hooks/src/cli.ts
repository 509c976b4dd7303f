import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@portolan/client'
import { runProgram } from '#kit/cli'
import { takeLock } from '#kit/lock/takeLock'
import { listSkipped, replay, resume, skip, statusOf } from './commands.ts'
import { type Hook, type HooksConfig, readConfig, textOf } from './config.ts'
import { checkCursor } from './gateway/checkCursor.ts'
import { watchGateway } from './gateway/watch.ts'
import { type HooksIo, logStream } from './io.ts'
import { createPost } from './post/post.ts'
import { openRedisStore } from './redis/redisStore.ts'
import { runShared } from './redis/runShared.ts'
import { type HookEnd, type RunOptions, runAlone } from './runHook.ts'
import { type HookStore, lockedStore, openStore } from './store.ts'

const place = `  --config <file>   The hooks: see the README.
  --state <place>   How far each hook is: a file of SQLite, or for several processes the URL of a Redis, such as
                    redis://redis.example:6379 or env:REDIS_URL. Default: the name of the file with .state at its end.
  --prefix <text>   What the keys in Redis begin with. Default: portolan-hooks.
  --help            This text.
`

/** What each command takes and does, and what else somebody who runs it has to know. */
const commands = {
  run: {
    takes: '',
    does: 'Sends events until it is stopped.',
    more: `It ends with 0 if it was stopped, or when all hooks have ended or are parked. It ends with 1 when no hook is left to
run and the gateway has refused one of them. The other hooks go on meanwhile. If the graph needs a key, PORTOLAN_API_KEY
has it.`,
  },
  status: { takes: '', does: 'How far each hook is.', more: '' },
  replay: {
    takes: '<hook> --from <cursor>',
    does: 'Sends the events after a cursor again. Each message has its cursor.',
    more: `The gateway is asked first whether it can continue there. If not, nothing changes, and it ends with 1. The cursor where
the hook was is printed, so that you can go back to it. It needs run to be stopped. If the graph needs a key,
PORTOLAN_API_KEY has it.`,
  },
  resume: {
    takes: '<hook>',
    does: 'Sends the event at once that a hook is parked with, or that waits for its next attempt.',
    more: 'With a file, it needs run to be stopped. With Redis, it needs that only for an event that waits.',
  },
  skip: {
    takes: '<hook>',
    does: 'Sets the event aside that a hook is parked with, and continues after it.',
    more: 'With a file, it needs run to be stopped.',
  },
  skipped: { takes: '<hook>', does: 'The events that were set aside, as lines of JSON.', more: '' },
}

type CommandName = keyof typeof commands
const isCommand = (name: string | undefined): name is CommandName => Object.hasOwn(commands, name ?? '')

/** The help of one command, or that of all. */
function helpOf(name: string | undefined): string {
  if (isCommand(name)) {
    const { takes, does, more } = commands[name]
    return `${does}\n\n  portolan-hooks ${name} ${takes && `${takes} `}--config hooks.json\n\n${more && `${more}\n\n`}${place}`
  }
  const lines = Object.entries(commands).map(([each, { does }]) => `  ${each.padEnd(8)} ${does}`)
  return `Sends live events of a Portolan gateway to URLs and chats.

  portolan-hooks <command> --config hooks.json

${lines.join('\n')}

${place}
portolan-hooks <command> --help says more of one of them.
`
}

/** The surroundings of the command: those of hooks, its environment, and its output. */
export interface HooksCliIo extends HooksIo {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
}

interface Command {
  readonly run: CommandName
  readonly hook: string
  readonly from: string
  /** A file, or the URL of a Redis. */
  readonly state: string
  readonly prefix: string
  readonly config: HooksConfig
}

/** Runs a command line. Resolves to the exit code: 2 for wrong options or a wrong file, 1 if it failed. */
export const runHooks = (argv: readonly string[], io: HooksCliIo): Promise<number> =>
  runProgram(
    argv,
    { out: io.out, err: logStream(io) },
    {
      help: helpOf(argv.find((word) => !word.startsWith('-'))),
      // The help of a command needs nothing else that the command needs.
      read: () => (argv.includes('--help') || argv.includes('-h') ? undefined : readCommand(argv, io.env)),
      run: (command) => (isRedis(command.state) ? runWithRedis : runWithFile)(command, io),
    },
  )

const isRedis = (state: string): boolean => /^rediss?:\/\//.test(state)

/** One program works on a file, and its hooks are all its own. */
async function runWithFile(command: Command, io: HooksCliIo): Promise<number> {
  const { run, state } = command
  using store = await openStore(state)
  if (run === 'status' || run === 'skipped') return await print(command, store, io)
  await using lock = await takeLock(state, { ...io, err: logStream(io) })
  const lost = new AbortController()
  const locked = lockedStore(store, lock, lost)
  if (run !== 'run') return await change(command, locked, io)
  const signal = AbortSignal.any([io.signal, lost.signal])
  const held = { ...io, signal, wait: (milliseconds: number) => io.wait(milliseconds, lost.signal) }
  const code = await runAll(command, held, (hook, parts) => runAlone(hook, { ...parts, store: locked }))
  lost.signal.throwIfAborted()
  return code
}

/** Of several programs, one at a time works on each hook. */
async function runWithRedis(command: Command, io: HooksCliIo): Promise<number> {
  const { run, hook, state: url, prefix } = command
  using store = await openRedisStore({ url, prefix, io })
  if (run === 'status' || run === 'skipped') return await print(command, store, io)
  if (run !== 'run') {
    await using lease = await store.take(hook)
    if (!lease) throw new Error(`Another process sends the events of ${hook}. Stop it first.`)
    return await change(command, lease, io)
  }
  return await runAll(command, io, (each, parts) => runShared(each, { ...parts, store }))
}

/** Runs all hooks, and says at the end which of them have stopped. The exit code is 1 if the gateway has refused one. */
async function runAll(
  { config }: Command,
  io: HooksCliIo,
  runOne: (hook: Hook, parts: Omit<RunOptions, 'store'>) => Promise<HookEnd>,
): Promise<number> {
  using client = watchGateway(clientOf(config, io), { url: config.url, io })
  const parts = { io, client, post: createPost(config.rules) }
  const ends = await Promise.all(config.hooks.map((hook) => runOne(hook, parts)))
  const refused = config.hooks.filter((_hook, index) => ends[index] === 'refused').map(({ name }) => name)
  if (refused.length === 0) return 0
  io.log(`The gateway has refused ${refused.join(', ')}: see portolan-hooks status.`)
  return io.signal.aborted ? 0 : 1
}

const clientOf = ({ url }: HooksConfig, io: HooksCliIo) => createClient({ url, apiKey: io.env.PORTOLAN_API_KEY })

/** What a command says that changes nothing. */
async function print({ run, hook, config }: Command, store: Pick<HookStore, 'load' | 'listSkipped'>, io: HooksCliIo) {
  if (run === 'skipped') io.out(await listSkipped(hook, store))
  else for (const { name } of config.hooks) io.out(`${await statusOf(name, store)}\n`)
  return 0
}

/** Does what a command says to the state of its hook. */
async function change({ run, hook: name, from, config }: Command, store: HookStore, io: HooksCliIo): Promise<number> {
  if (run === 'replay') {
    const hook = config.hooks.find((each) => each.name === name)
    if (hook) await checkCursor(hook, from, clientOf(config, io), io)
    io.out(`${await replay(name, from, store)}\n`)
  }
  if (run === 'resume') io.out(`${await resume(name, store)}\n`)
  if (run === 'skip') io.out(`${await skip(name, store)}\n`)
  return 0
}

/** Throws an Error if it is wrong. */
function readCommand(argv: readonly string[], env: HooksCliIo['env']): Command {
  const text = { type: 'string' as const, default: '' }
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { config: text, state: text, from: text, prefix: { ...text, default: 'portolan-hooks' } },
  })
  const [run, hook = '', ...more] = positionals
  if (!isCommand(run) || more.length > 0) throw new Error(`Name one command: ${Object.keys(commands).join(', ')}.`)
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
