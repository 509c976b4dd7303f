import { parseArgs } from 'node:util'
import { goneSetting } from './goneSettings.ts'
import { didYouMean, nearVariables } from './nearNames.ts'
import { readSettings, type Sources } from './readSettings.ts'
import {
  allNames,
  type GivenValue,
  type OptionName,
  type Settings,
  settingNames,
  settingOf,
  sourceRanks,
} from './settings/settings.ts'

/** A command that has settings. */
export interface ServiceCommand {
  readonly run: 'serve' | 'sandbox' | 'doctor' | 'mcp'
  readonly settings: Settings
  /** Whether the network is the sandbox. */
  readonly sandbox: boolean
  /** The URL of the graph that `mcp` reads, if it is another one. */
  readonly url: string | undefined
  /** Whether to print JSON. */
  readonly json: boolean
  /** Whether the report lists what works too. */
  readonly all: boolean
  /** Whether the configuration file has no fault, or there is none. Else what it does not set may be what was not understood. */
  readonly isFileUnderstood: boolean
  /** A sentence for each variable that may be misspelt. */
  readonly warnings: readonly string[]
}

/** A parsed command line. */
export type Command =
  | ServiceCommand
  | { readonly run: 'version' }
  | { readonly run: 'help'; readonly isWhole: boolean }
  /** The schema has the directives of Federation if `isSubgraph` is set. */
  | { readonly run: 'schema'; readonly isSubgraph: boolean }

const commands = ['serve', 'sandbox', 'schema', 'doctor', 'mcp'] as const

const switches = ['sandbox-by-default', 'json', 'all', 'help', 'version']
const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
  ...Object.fromEntries(allNames.map((name) => [settingOf(name).flag, { type: 'string' }])),
  ...Object.fromEntries(switches.map((name) => [name, { type: 'boolean' }])),
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
}

const noChain =
  'No chain is configured. Set INDEXERS (chainId=url,...) or CHAIN_REGISTRY. ' +
  'To try Portolan on a simulated network, set SANDBOX=true or pass --sandbox.'

const toggles = new Set(
  settingNames
    .map(settingOf)
    .filter(({ value }) => value.startsWith('<true|false'))
    .map(({ flag }) => `--${flag}`),
)

const rawNames = Object.keys(options).map((name) => `--${name}`)

/** Parses a command line and its environment. Adds a sentence to `problems` for each fault. */
export function readCommand(argv: readonly string[], sources: Omit<Sources, 'flags'>): Command {
  const { env, problems } = sources
  const { flags, words } = readWords(argv, problems)
  if (flags.has('help') || words[0] === 'help') return { run: 'help', isWhole: words.includes('all') }
  if (flags.has('version')) return { run: 'version' }
  const [word = 'serve', ...others] = words
  const run = commands.find((command) => command === word)
  if (!run) problems.push(`Unknown command '${word}'. Commands: ${commands.join(', ')}.`)
  const [url, ...extra] = run === 'mcp' ? others : [undefined, ...others]
  if (url !== undefined && !/^https?:\/\//.test(url))
    problems.push(`The graph must be a URL such as https://graph.example/graphql, not '${url}'.`)
  if (extra.length > 0) problems.push(`Unexpected argument '${extra.join(' ')}'.`)
  // The schema does not depend on settings.
  if (run === 'schema') return { run, isSubgraph: flags.get('federation') === 'true' }
  // The graph at a URL has settings of its own.
  const near = url === undefined ? nearVariables(env) : { problems: [], warnings: [] }
  problems.push(...near.problems)
  const isUnderstood = problems.length === 0

  const json = flags.has('json')
  if (json && run !== 'doctor') problems.push('--json is for portolan doctor only.')
  const all = flags.has('all')
  if (all && run !== 'doctor') problems.push('--all is for portolan doctor only.')
  const { settings, given, isFileUnderstood } = readSettings({ ...sources, flags })
  const chains = [given.get('indexers'), given.get('chainRegistry')].filter((source) => source !== undefined)
  const asked = askedRank(run === 'sandbox', settings, given)
  for (const { rank, source } of chains) {
    if (rank === asked) problems.push(`The sandbox cannot be combined with ${source}.`)
  }
  const isByDefault = flags.has('sandbox-by-default') && !given.has('sandbox') && chains.length === 0
  const sandbox = isByDefault || (asked > 0 && chains.every(({ rank }) => rank <= asked))
  // What is not understood may have been meant to name the chains, or to ask for the sandbox. A faulty value is undefined.
  const isNetworkKnown = sandbox || chains.length > 0 || url !== undefined || settings.sandbox === undefined
  if (!isNetworkKnown && isUnderstood && isFileUnderstood) problems.push(noChain)
  return { run: run ?? 'serve', settings, sandbox, url, json, all, isFileUnderstood, warnings: near.warnings }
}

/** The rank of the source that asks for the sandbox, or 0. Chains of a higher source are served instead. */
function askedRank(isCommand: boolean, settings: Settings, given: ReadonlyMap<OptionName, GivenValue>): number {
  if (isCommand) return sourceRanks.flag
  return settings.sandbox ? (given.get('sandbox')?.rank ?? 0) : 0
}

/** The words, with `true` for each flag that may be true or false and has no value. */
const withToggles = (argv: readonly string[]): string[] =>
  argv.map((word, index) => (toggles.has(word) && isNoValue(argv[index + 1]) ? `${word}=true` : word))

const isNoValue = (word = ''): boolean => /^(-|$)/.test(word) || commands.some((command) => command === word)

function readWords(argv: readonly string[], problems: string[]) {
  const flags = new Map<string, string | undefined>()
  const words: string[] = []
  const { tokens } = parseArgs({
    args: withToggles(argv),
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
      problems.push(goneSetting(rawName) ?? `Unknown flag ${rawName}.${didYouMean(rawName, rawNames)}`)
      isAfterUnknown = value === undefined
    } else if (type === 'string' && !value) problems.push(`${rawName} needs a value.`)
    else if (type === 'boolean' && value) problems.push(`${rawName} takes no value.`)
    else if (flags.has(name)) problems.push(`${rawName} is given twice.`)
    else flags.set(name, value)
  }
  return { flags, words }
}
