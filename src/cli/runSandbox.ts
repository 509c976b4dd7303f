import type { ServiceCommand } from '../config/commandLine.ts'
import { startSandbox } from '../sandbox/sandbox.ts'
import { reachable } from './banner.ts'
import type { CliIo } from './io.ts'
import { portOf } from './port.ts'

/** Runs the sandbox alone until the program should stop, and prints the settings of a gateway that serves it. */
export async function runSandbox(command: ServiceCommand, { out, stopped }: CliIo): Promise<void> {
  const { host, sandboxOdd: odd } = command.settings
  const sandbox = await startSandbox({ host, port: portOf(command), odd })
  const indexers = sandbox.indexers.map(({ chainId, url }) => `${chainId}=${reachable(url)}`)
  const kinds = sandbox.indexers.map(({ chainId, vm }) => `${chainId}=${vm}`)
  out('To serve this network, start a gateway with\n\n')
  out(`INDEXERS=${indexers.join(',')}\n`)
  out(`ROUTER_URL=${reachable(sandbox.routerUrl)}\n`)
  out(`VM_KINDS=${kinds.join(',')}\n`)
  await stopped()
  await sandbox.close()
}
