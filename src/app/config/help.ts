import { limitNames } from '../../engine/limits/limits.ts'
import { type OptionName, settingNames, settingOf } from './settings/settings.ts'

/** Columns of a terminal that every line fits in. */
const width = 80
const indent = 6

/** Breaks a text into lines that fit, each indented. */
function wrap(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line && indent + line.length + 1 + word.length > width) {
      lines.push(line)
      line = ''
    }
    line += line ? ` ${word}` : word
  }
  return [...lines, line].map((line) => ' '.repeat(indent) + line).join('\n')
}

const rows = (names: readonly OptionName[]): string =>
  names
    .map((name) => {
      const { flag, value, env, help, fallback, canBeFile } = settingOf(name)
      const variables = canBeFile ? `${env}, ${env}_FILE` : env
      const text = fallback ? `${help} Default: ${fallback}.` : help
      return `  --${flag} ${value}\n${wrap(`${variables}: ${text}`)}`
    })
    .join('\n')

const usage = `Usage: portolan [serve | sandbox | schema | doctor | mcp] [flags]

  serve     Serve the graph of the configured chains. This is the default.
  sandbox   Run only the simulated network, for a gateway elsewhere.
  schema    Print the GraphQL schema.
  doctor    Examine the configured services: ask them what the gateway will
            ask, and say what will work, what will not, and what to set.
  mcp [url] Serve tools for agents over the streams of this process: of the
            graph at a URL, or of the configured chains.

  --sandbox             Serve the sandbox, a simulated network.
  --sandbox-by-default  Serve the sandbox if no chain is configured.
  --all                 List every check of portolan doctor.
  --json                Print its findings as JSON.
  -h, --help [all]      Print this help, or that of all settings.
  -v, --version         Print the version.

To try it: portolan --sandbox
`

/** The text that `--help` prints, in 25 lines at most. No line is wider than 80 columns. */
export const help = `${usage}
To serve chains and a router:

  portolan --indexers chain-1=https://indexer.example \\
    --router-url https://router.example

Every setting is a flag, a variable or a line of a file: portolan --help all
`

/** The text that `--help all` prints. */
export const wholeHelp = `${usage}
Settings: a flag takes precedence over the variable, the variable over the
configuration file, and the file over the default. A variable with _FILE names a
file with the value. A flag that takes true or false means true without either.

${rows(settingNames)}

Limits:

${rows(limitNames)}

Exit codes: 0 stopped as asked, 1 it could not start or was stopped twice,
2 the settings are faulty or Node is too old. For doctor, 1 means that a part of
the graph will not work.
`
