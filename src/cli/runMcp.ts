import type { Chains } from '../config/chains.ts'
import type { ServiceCommand } from '../config/commandLine.ts'
import { createGateway } from '../gateway.ts'
import { systemClock } from '../kit/clock/clock.ts'
import { sdlOf } from '../mcp/openMcp.ts'
import { remoteGraph } from '../mcp/remoteGraph.ts'
import { schema } from '../schema/schema.ts'
import { packageVersion } from '../version.ts'
import type { CliIo } from './io.ts'
import { sandboxOf, servicesOf } from './network.ts'

/**
 * Serves tools of the graph at a URL over the streams of this process, where nothing else is written. The variable
 * PORTOLAN_API_KEY has the key for it.
 */
export async function runMcpAt(
  url: string,
  { settings }: ServiceCommand,
  io: CliIo,
): Promise<void> {
  const { serveOverStdio } = await import('../mcp/stdio.ts')
  const graph = remoteGraph({ url, apiKey: io.env.PORTOLAN_API_KEY, clock: systemClock })
  const sdl = settings.mcpQuery ? sdlOf(schema) : undefined
  await serveOverStdio(graph, { version: packageVersion(), sdl }, io.stopped())
}

/** The same for the graph of the configured chains, which is served for as long. */
export async function runMcp(command: ServiceCommand, chains: Chains, io: CliIo): Promise<void> {
  const sandbox = await sandboxOf(command)
  try {
    const services = servicesOf(command, chains, sandbox)
    const { limits } = command.settings
    await using gateway = await createGateway({ ...services, limits, isSandbox: command.sandbox })
    await runMcpAt(gateway.url, command, io)
  } finally {
    await sandbox?.close()
  }
}
