import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Graph } from './graph.ts'
import { createMcpServer, type McpServerOptions } from './mcpServer.ts'

/** Serves MCP over the streams of this process until its client closes them, or `stopped` resolves. */
export async function serveOverStdio(graph: Graph, options: McpServerOptions, stopped: Promise<void>): Promise<void> {
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve))
  const server = serveStdio(() => createMcpServer(graph, options), { maxSubscriptions: 0 })
  await Promise.race([ended, stopped])
  await server.close()
}
