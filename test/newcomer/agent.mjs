// What a desktop client does first with a server of tools.
import { start } from './processes.mjs'

const request = (id, method, params) => JSON.stringify({ jsonrpc: '2.0', id, method, params })

/** Starts a server of the Model Context Protocol by its command, and returns the names of its tools. */
export async function toolsOf(command, args, options) {
  const server = start(command, args, options)
  const clientInfo = { name: 'newcomer', version: '1' }
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  server.write(request(1, 'initialize', hello))
  await server.line(/"id":1\b.*"serverInfo"|"serverInfo".*"id":1\b/)
  server.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
  server.write(request(2, 'tools/list', {}))
  const answer = JSON.parse(await server.line(/"tools":\[/))
  await server.stop()
  return answer.result.tools.map(({ name }) => name)
}
