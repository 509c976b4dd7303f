import { parseArgs } from 'node:util'
import { limitNames, limitProblems, limitTable, mapLimits } from './limits.ts'
import { type Settings, settingNames, settingOf, settings } from './settings.ts'

/** A parsed command line. */
export type Command =
  | { readonly run: 'serve' | 'sandbox'; readonly settings: Settings; readonly sandbox: boolean }
  | { readonly run: 'schema' | 'help' | 'version' }

/** The variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>

const commands = ['serve', 'sandbox', 'schema'] as const

const switches = ['sandbox', 'help', 'version']
const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
  ...Object.fromEntries(
    [...settingNames, ...limitNames].map((name) => [settingOf(name).flag, { type: 'string' }]),
  ),
  ...Object.fromEntries(switches.map((name) => [name, { type: 'boolean' }])),
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
}

/** Parses a command line and its environment. Adds a sentence to `problems` for each fault. */
export function readCommand(argv: readonly string[], env: Env, problems: string[]): Command {
  const { flags, words } = readWords(argv, problems)
  if (flags.has('help')) return { run: 'help' }
  if (flags.has('version')) return { run: 'version' }
  const [word = 'serve', ...extra] = words
  const run = commands.find((command) => command === word)
  if (!run) problems.push(`Unknown command '${word}'. Commands: ${commands.join(', ')}.`)
  if (extra.length > 0) problems.push(`Unexpected argument '${extra.join(' ')}'.`)
  // The schema does not depend on settings.
  if (run === 'schema') return { run }

  const sandbox = flags.has('sandbox')
  for (const flag of ['indexers', 'chain-registry']) {
    if (sandbox && flags.has(flag)) {
      problems.push(`--sandbox cannot be combined with --${flag}.`)
    }
  }
  const settings = readSettings(flags, env, problems)
  const hasChains = settings.indexers !== undefined || settings.chainRegistry !== undefined
  return { run: run ?? 'serve', settings, sandbox: sandbox || !hasChains }
}

function readWords(argv: readonly string[], problems: string[]) {
  const flags = new Map<string, string | undefined>()
  const words: string[] = []
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  let isAfterUnknown = false
  for (const token of tokens) {
    // A word after an unknown flag was meant as its value. One message is enough.
    if (token.kind === 'positional' && !isAfterUnknown) words.push(token.value)
    isAfterUnknown = false
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const type = Object.hasOwn(options, name) ? options[name]?.type : undefined
    if (!type) {
      problems.push(`Unknown flag ${rawName}.`)
      isAfterUnknown = value === undefined
    } else if (type === 'string' && !value) problems.push(`${rawName} needs a value.`)
    else if (type === 'boolean' && value) problems.push(`${rawName} takes no value.`)
    else flags.set(name, value)
  }
  return { flags, words }
}

/** A setting as it was given: its text, and the flag or variable it came from. */
interface Given {
  readonly text: string | undefined
  readonly source: string
}

function readSettings(
  flags: ReadonlyMap<string, string | undefined>,
  env: Env,
  problems: string[],
): Settings {
  const given = (name: Parameters<typeof settingOf>[0]): Given => {
    const { flag, env: variable } = settingOf(name)
    if (flags.has(flag)) return { text: flags.get(flag), source: `--${flag}` }
    // Shells and compose files write an empty variable for one that is not set.
    return { text: env[variable]?.trim() || undefined, source: variable }
  }
  const read = <Name extends keyof typeof settings>(name: Name) => {
    const { text, source } = given(name)
    const result = settings[name].schema.safeParse(text)
    for (const { message } of result.error?.issues ?? []) {
      const shown =
        settingOf(name).isSecret || text === undefined ? '' : `, not '${text.slice(0, 80)}'`
      problems.push(`${source} ${message}${shown}.`)
    }
    // A faulty setting is undefined here. Its problem ends the program before it is used.
    return result.data as Settings[Name]
  }
  const limits = mapLimits((name) => Number(given(name).text ?? limitTable[name].default))
  problems.push(...limitProblems(limits, (name) => given(name).source))
  return {
    limits,
    port: read('port'),
    host: read('host'),
    indexers: read('indexers'),
    routerUrl: read('routerUrl'),
    defaultChain: read('defaultChain'),
    chainRegistry: read('chainRegistry'),
    vmKinds: read('vmKinds'),
    upstreamHeaders: read('upstreamHeaders'),
    logLevel: read('logLevel'),
    graphiql: read('graphiql'),
    introspection: read('introspection'),
    compileOperations: read('compileOperations'),
    allowedOrigins: read('allowedOrigins'),
    signingKeys: read('signingKeys'),
  }
}
