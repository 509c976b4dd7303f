import { parseArgs } from 'node:util'

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
  --skip-unreadable        Leave out records that cannot be read, with a note, instead of stopping at the first.
  --help                   This text.

Run the same command again to continue, or to add what is new. It ends with 0 when all is written, with 3 when a chain
could not be read or a record was left out, and with 130 when it was interrupted.
`

/**
 * The options of a command line. Undefined if it asks for help.
 * @throws Error if they are wrong.
 */
export function readOptions(argv: readonly string[]): ExportOptions | undefined {
  const text = { type: 'string' as const }
  const several = { ...text, multiple: true as const }
  const flag = { type: 'boolean' as const, default: false }
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      ...{ url: { ...text, default: '' }, out: { ...text, default: '' }, format: { ...text, default: 'csv' } },
      ...{ address: { ...text, default: '' }, chain: several, since: text, until: text, own: several },
      ...{ 'include-unlisted': flag, 'skip-unreadable': flag, help: { ...flag, short: 'h' } },
    },
  })
  if (values.help) return undefined
  const [subject, ...more] = positionals
  if (more.length > 0) throw new Error(`Name one thing to export, not also ${more.join(' ')}.`)
  const options: ExportOptions = {
    ...{ subject: oneOf(subjects, subject, 'Name what to export'), url: values.url, out: values.out },
    ...{ format: oneOf(formats, values.format, '--format'), address: values.address, chains: values.chain ?? [] },
    ...{ since: toTime(values.since), until: toTime(values.until), own: values.own ?? [] },
    ...{ includesUnlisted: values['include-unlisted'], skipsUnreadable: values['skip-unreadable'] },
  }
  const problem = problemOf(options)
  if (problem !== undefined) throw new Error(problem)
  return options
}

function problemOf({ subject, format, url, out, address, chains }: ExportOptions): string | undefined {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    return 'The option --url has the URL of the graph, such as https://graph.example/graphql.'
  if (out === '') return 'The option --out has the name of the file.'
  if (format === 'koinly' && subject !== 'activity') return 'The format koinly is for activity.'
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
