import { settingNames, settingOf } from './settings.ts'

const rows = settingNames.map((name) => {
  const { flag, value, env, help, fallback } = settingOf(name)
  return {
    flag: `--${flag} ${value}`,
    env,
    help: fallback ? `${help} Default: ${fallback}.` : help,
  }
})

const flagWidth = Math.max(...rows.map(({ flag }) => flag.length))
const envWidth = Math.max(...rows.map(({ env }) => env.length))

/** What `--help` prints. */
export const help = `Usage: portolan [serve | sandbox | schema] [flags]

  serve     Serve the graph (the default command). Without INDEXERS and CHAIN_REGISTRY
            it starts the sandbox and serves that.
  sandbox   Run the simulated network alone, for a gateway elsewhere.
  schema    Print the schema of the graph.

  --sandbox      Serve the sandbox, whatever the environment names.
  -h, --help     Print this.
  -v, --version  Print the version.

Flags, and the variables that say the same; flags win.

${rows.map(({ flag, env, help: text }) => `  ${flag.padEnd(flagWidth)}  ${env.padEnd(envWidth)}  ${text}`).join('\n')}
`
