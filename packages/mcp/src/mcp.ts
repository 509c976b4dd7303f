// biome-ignore lint/performance/noBarrelFile: the name by which users of this package know its parts
export { createMcpEndpoint, type McpEndpoint, type McpEndpointOptions } from './endpoint.ts'
export type { Graph, GraphAnswer, GraphProblem, GraphRequest } from './graph.ts'
export { createMcpServer, type McpServerOptions } from './mcpServer.ts'
export { readSdl } from './readSdl.ts'
export { type RemoteGraphOptions, remoteGraph } from './remoteGraph.ts'
export { type ServeUrlOptions, serveUrl } from './serveUrl.ts'
export { serveOverStdio } from './stdio.ts'
