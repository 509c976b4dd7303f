import { parseArgs } from 'node:util'
import { checkGraphUrl } from '#kit/cli'

export const subjects = ['activity', 'transfers', 'transactions', 'blocks'] as const
export const formats = ['csv', 'ndjson', 'parquet', 'koinly'] as const

/** What to export, from where, and into which file. */
export interface ExportOptions {
  readonly subject: (typeof subjects)[number]
  readonly format: (typeof formats)[number]
  readonly url: string
  readonly out: string
  /** Empty for all of a chain. */
  readonly address: string
  /** Empty for all chains. */
  readonly chains: readonly string[]
  /** Only records of this time or later, and before that one. In RFC 3339. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Other addresses of the same owner. */
  readonly own: readonly string[]
  readonly includesUnlisted: boolean
  readonly skipsUnreadable: boolean
  /** Whether a file of CSV begins with a byte order mark, by which Excel knows UTF-8. Default: false. */
  readonly bom?: boolean
}

export const help = `Writes what an account or a chain did into a file.

  portolan-export <what> --url <URL> --out <file> [options]

  activity                 What an account lost and gained on all chains: needs --address.
  transfers                Movements of an account between two chains, each once: needs --address.
  transactions             A row for each transaction of an account, or of one chain: needs --address or --chain.
  blocks                   All blocks of a chain: needs --chain.

  --url <URL>              The graph, such as https://graph.example/graphql. If it needs a key, PORTOLAN_API_KEY has it.
  --out <file>             The file, or the folder of a Parquet data set.
  --format <format>        csv (default), ndjson, parquet, or koinly for the tax software of that name.
  --address <address>      The account, in any spelling.
  --chain <id>             Only this chain. Can be repeated.
  --since <day or time>    Only records of this day or time or later, in UTC.
  --until <day or time>    Only records before this day or time, in UTC.
  --own <address>          Another address of the same owner, for koinly. Can be repeated.
  --include-unlisted       Keep tokens that no list names and that nobody asked for, for koinly.
  --bom                    Begin with a byte order mark, for csv: Excel then shows signs such as ₮ and é as they are.
  --skip-unreadable        Leave out records that cannot be read, with a note, instead of stopping at the first.
  --help                   This text.

Run the same command again to continue, or to add what is new. It ends with 0 when all is written, with 3 when a chain
could not be read or a record was left out, and with 130 when it was interrupted.
`

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

/** The options of the command line. */
const known = {
  ...{ url: text, out: text, format: text, address: text, chain: texts, since: text, until: text, own: texts },
  ...{ 'include-unlisted': flag, 'skip-unreadable': flag, bom: flag, help: { ...flag, short: 'h' } },
}

/**
 * The options of a command line. Undefined if it asks for help.
 * @throws Error if they are wrong.
 */
export function readOptions(argv: readonly string[]): ExportOptions | undefined {
  const args = [...argv]
  const { tokens } = parseArgs({ args, allowPositionals: true, options: known, strict: false, tokens: true })
  for (const [index, token] of tokens.entries()) checkToken(token, tokens.slice(0, index))
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: known })
  if (values.help) return undefined
  const [subject, ...more] = positionals
  if (more.length > 0) throw new Error(`Name one thing to export, not also ${more.join(' ')}.`)
  const { url = '', out = '', format = 'csv', address = '', chain = [], own = [], bom = false } = values
  const options: ExportOptions = {
    ...{ subject: oneOf(subjects, subject, 'Name what to export'), format: oneOf(formats, format, '--format') },
    ...{
      url: checkGraphUrl(url),
      out,
      address,
      chains: chain,
      own,
      bom,
      since: toTime(values.since),
      until: toTime(values.until),
    },
    includesUnlisted: values['include-unlisted'] ?? false,
    skipsUnreadable: values['skip-unreadable'] ?? false,
  }
  const problem = problemOf(options)
  if (problem !== undefined) throw new Error(problem)
  return options
}

/** A part of a command line: an option, or something else. */
interface Token {
  readonly kind: string
  readonly name?: string
  readonly rawName?: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

/** @throws Error if an option is unknown, is given twice, or lacks its value or has one too many. */
function checkToken({ kind, name, rawName, value, inlineValue }: Token, before: readonly Token[]): void {
  if (kind !== 'option') return
  const option = Object.entries(known).find(([each]) => each === name)?.[1]
  if (!option) throw new Error(`There is no option ${rawName}.`)
  if (option.type === 'boolean' && value !== undefined) throw new Error(`The option ${rawName} has no value.`)
  if (option.type === 'string' && (!value || (!inlineValue && value.startsWith('-')))) {
    throw new Error(`The option ${rawName} needs a value.`)
  }
  const isRepeated = !('multiple' in option) && before.some((each) => each.name === name)
  if (isRepeated) throw new Error(`The option ${rawName} can be given once.`)
}

function problemOf({ subject, format, out, address, chains, bom }: ExportOptions): string | undefined {
  if (out === '') return 'The option --out has the name of the file.'
  if (format === 'koinly' && subject !== 'activity') return 'The format koinly is for activity.'
  if (bom && format !== 'csv') return 'The option --bom is for the format csv.'
  if (/^(activity|transfers)$/.test(subject) && address === '') return 'The option --address has the account.'
  if (subject === 'blocks' && address !== '') return 'Blocks have no --address.'
  if (address === '' && chains.length !== 1) return 'The option --chain has the one chain to export.'
  return undefined
}

function oneOf<Name extends string>(names: readonly Name[], text: string | undefined, what: string): Name {
  const name = names.find((each) => each === text)
  if (name === undefined) throw new Error(`${what}: ${names.join(', ')}.`)
  return name
}

/** A time in RFC 3339, from a day or a time in UTC. */
function toTime(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(time) && !Number.isNaN(Date.parse(time))
  if (!isTime) throw new Error(`Not a day or time in UTC: ${text}. Write 2026-01-31 or 2026-01-31T12:00:00Z.`)
  return time
}
