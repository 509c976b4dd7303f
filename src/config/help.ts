import { limitNames } from './limits.ts'
import { settingNames, settingOf } from './settings.ts'

const rowsOf = (names: readonly Parameters<typeof settingOf>[0][]) =>
  names.map((name) => {
    const { flag, value, env, help, fallback } = settingOf(name)
    return {
      flag: `--${flag} ${value}`,
      env,
      help: fallback ? `${help} Default: ${fallback}.` : help,
    }
  })

const settingRows = rowsOf(settingNames)
const limitRows = rowsOf(limitNames)
const allRows = [...settingRows, ...limitRows]
const flagWidth = Math.max(...allRows.map(({ flag }) => flag.length))
const envWidth = Math.max(...allRows.map(({ env }) => env.length))

const table = (rows: typeof allRows): string =>
  rows
    .map(({ flag, env, help }) => `  ${flag.padEnd(flagWidth)}  ${env.padEnd(envWidth)}  ${help}`)
    .join('\n')

/** The text that `--help` prints. */
export const help = `Usage: portolan [serve | sandbox | schema] [flags]

  serve     Serve the graph. This is the default command. If neither INDEXERS
            nor CHAIN_REGISTRY is set, it starts the sandbox and serves that.
  sandbox   Run only the simulated network, for a gateway elsewhere.
  schema    Print the GraphQL schema.

  --sandbox      Serve the sandbox, even if the environment names other chains.
  -h, --help     Print this help.
  -v, --version  Print the version.

Settings, as flags or environment variables. Flags take precedence.

${table(settingRows)}

Limits:

${table(limitRows)}
`
