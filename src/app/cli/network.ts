import { sandboxChains } from '#sandbox/chains'
import { type Sandbox, startSandbox } from '#sandbox/sandbox'
import type { NetworkOptions } from '../../engine/network/networkOptions.ts'
import { type Chains, networkOptions, readChains } from '../config/chains.ts'
import type { ServiceCommand } from '../config/commandLine.ts'
import { readText } from './readText.ts'

const sandboxIds = sandboxChains.map(({ chainId }) => chainId)

/** The chains that a command names, with those of its registry. Adds a sentence to `problems` for each fault. */
export const chainsOf = (command: ServiceCommand, problems: string[]): Promise<Chains> =>
  readChains(command, { sandboxIds, readText, problems })

/** The environment variable with which a primary tells its workers where its sandbox is. */
export const sandboxVariable = 'PORTOLAN_WORKER_SANDBOX'

/** Where the services of a sandbox are. */
export type SandboxPlace = Pick<Sandbox, 'indexers' | 'routerUrl' | 'pricesUrl' | 'controlUrl'>

/** Starts the sandbox, if it is the network of the command. A worker uses the `started` one of its primary. */
export async function makeSandbox(
  { settings, sandbox }: ServiceCommand,
  started?: string,
): Promise<(SandboxPlace & Pick<Sandbox, 'close'>) | undefined> {
  if (!sandbox) return undefined
  if (started === undefined)
    return startSandbox({ odd: settings.sandboxOdd, transfersBeginAnew: true, preparesAccounts: true })
  const place: SandboxPlace = JSON.parse(started)
  return { ...place, close: async () => {} }
}

/** The services of the configuration, or of a sandbox that is started for them. */
export function servicesOf(
  { settings }: ServiceCommand,
  chains: Chains,
  sandbox: SandboxPlace | undefined,
): NetworkOptions {
  return networkOptions(settings, {
    chains: sandbox?.indexers ?? chains.entries,
    listed: chains.listed,
    router: settings.routerUrl ?? (sandbox && { url: sandbox.routerUrl }),
    prices: settings.pricesUrl ?? (sandbox && { url: sandbox.pricesUrl }),
  })
}
