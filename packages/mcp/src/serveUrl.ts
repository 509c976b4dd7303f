import type { McpServerOptions } from './mcpServer.ts'
import { remoteGraph } from './remoteGraph.ts'
import { serveOverStdio } from './stdio.ts'

/** The graph that tools read, and the server that has these tools. */
export interface ServeUrlOptions extends McpServerOptions {
  readonly url: string
  readonly apiKey?: string | undefined
}

/**
 * Serves tools of the graph at a URL over the streams of this process, where nothing else may be written, until its
 * client closes them, or `stopped` resolves.
 */
export const serveUrl = ({ url, apiKey, ...options }: ServeUrlOptions, stopped: Promise<void>): Promise<void> =>
  serveOverStdio(remoteGraph({ url, apiKey }), options, stopped)
