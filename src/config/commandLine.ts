import { parseArgs } from 'node:util'
import { type SettingName, type Settings, settingNames, settingOf, settings } from './settings.ts'

/** What the command line asks for. */
export type Command =
  | { readonly run: 'serve' | 'sandbox'; readonly settings: Settings; readonly sandbox: boolean }
  | { readonly run: 'schema' | 'help' | 'version' }

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>

const commands = ['serve', 'sandbox', 'schema'] as const

const switches = ['sandbox', 'help', 'version']
const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
  ...Object.fromEntries(settingNames.map((name) => [settingOf(name).flag, { type: 'string' }])),
  ...Object.fromEntries(switches.map((name) => [name, { type: 'boolean' }])),
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
}

/** Reads a command line with its environment; all that is wrong with them goes to `faults`. */
export function readCommand(argv: readonly string[], env: Env, faults: string[]): Command {
  const { flags, words } = readWords(argv, faults)
  if (flags.has('help')) return { run: 'help' }
  if (flags.has('version')) return { run: 'version' }
  const [word = 'serve', ...more] = words
  const run = commands.find((one) => one === word)
  if (!run) faults.push(`There is no command '${word}'; there are ${commands.join(', ')}.`)
  if (more.length > 0) faults.push(`One command at a time: what is '${more.join(' ')}'?`)
  // The schema is the same however it would be served.
  if (run === 'schema') return { run }

  const sandbox = flags.has('sandbox')
  for (const flag of ['indexers', 'chain-registry']) {
    if (sandbox && flags.has(flag)) {
      faults.push(`--sandbox brings its own chains; it does not go with --${flag}.`)
    }
  }
  const settings = readSettings(flags, env, faults)
  const hasChains = settings.indexers !== undefined || settings.chainRegistry !== undefined
  return { run: run ?? 'serve', settings, sandbox: sandbox || !hasChains }
}

function readWords(argv: readonly string[], faults: string[]) {
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
    // What follows a flag that is none was meant as its value, and needs no complaint of its own.
    if (token.kind === 'positional' && !isAfterUnknown) words.push(token.value)
    isAfterUnknown = false
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const type = Object.hasOwn(options, name) ? options[name]?.type : undefined
    if (!type) {
      faults.push(`There is no flag ${rawName}.`)
      isAfterUnknown = value === undefined
    } else if (type === 'string' && !value) faults.push(`${rawName} takes a value.`)
    else if (type === 'boolean' && value) faults.push(`${rawName} takes no value.`)
    else flags.set(name, value)
  }
  return { flags, words }
}

function readSettings(
  flags: ReadonlyMap<string, string | undefined>,
  env: Env,
  faults: string[],
): Settings {
  const read = <Name extends SettingName>(name: Name) => {
    const { flag, env: variable, isSecret } = settingOf(name)
    const isFlag = flags.has(flag)
    // An empty variable is how shells and compose files say that there is none.
    const text = isFlag ? flags.get(flag) : env[variable]?.trim() || undefined
    const result = settings[name].schema.safeParse(text)
    for (const { message } of result.error?.issues ?? []) {
      const given = isSecret || text === undefined ? '' : `; it is '${text.slice(0, 80)}'`
      faults.push(`${isFlag ? `--${flag}` : variable} ${message}${given}.`)
    }
    // What is faulty is undefined here; its fault ends the program before it is used.
    return result.data as Settings[Name]
  }
  return {
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
    allowedOrigins: read('allowedOrigins'),
  }
}
