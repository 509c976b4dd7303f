import { sandboxChains } from '#sandbox/chains'
import { type Sandbox, startSandbox } from '#sandbox/sandbox'
import { type NetworkOptions, servicesAt } from '../../engine/network/networkOptions.ts'
import { mapServices, urlNameOf } from '../../engine/upstream/services.ts'
import { type Chains, networkOptions, readChains } from '../config/chains.ts'
import type { ServiceCommand } from '../config/commandLine.ts'
import { readText } from './readText.ts'

const sandboxIds = sandboxChains.map(({ chainId }) => chainId)

/** The chains that a command names, with those of its registry. Adds a sentence to `problems` for each fault. */
export const chainsOf = (command: ServiceCommand, problems: string[]): Promise<Chains> =>
  readChains(command, { sandboxIds, readText, problems })

/** Starts the sandbox, if it is the network of the command. */
export async function makeSandbox({ settings, sandbox }: ServiceCommand): Promise<Sandbox | undefined> {
  if (!sandbox) return undefined
  return startSandbox({ odd: settings.sandbox === 'odd', transfersBeginAnew: true, preparesAccounts: true })
}

/** The services of the configuration, or of a sandbox that is started for them. */
export function servicesOf({ settings }: ServiceCommand, chains: Chains, sandbox: Sandbox | undefined): NetworkOptions {
  const simulated = servicesAt(sandbox ?? {})
  return networkOptions(settings, {
    chains: sandbox?.indexers ?? chains.entries,
    listed: chains.listed,
    ...mapServices((name) => settings[urlNameOf(name)] ?? simulated[name]),
  })
}
