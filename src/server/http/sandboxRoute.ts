import type { IncomingMessage } from 'node:http'
import type { Identify } from '../clients/identify.ts'
import { type Handler, type Reply, writeHead } from './reply.ts'
import { readBody, sendError, validateGraphqlRequest } from './requestGuards.ts'

/** The path at which the services of a sandbox are broken and mended. */
export const sandboxPath = '/sandbox/faults'

const maxBytes = 1_024
const timeoutMs = 2_000

/**
 * Passes requests on to the control of a sandbox. Undefined without one: there is no such route then. Pages of other origins cannot
 * use it: browsers ask before they send JSON elsewhere, and get no leave here.
 */
export function createSandboxRoute(
  controlUrl: string | undefined,
  identify: Identify,
): Handler | undefined {
  if (controlUrl === undefined) return undefined
  return async (request: IncomingMessage, reply: Reply) => {
    const invalid = validateGraphqlRequest(request, false)
    if (invalid) return sendError(reply, invalid)
    const client = identify.ofRequest(request)
    if (typeof client !== 'string') return sendError(reply, client)
    const { method = 'GET' } = request
    const body = method === 'POST' ? await readBody(request, maxBytes) : null
    if (body === undefined) return sendError(reply, { status: 413, message: 'Too large.' })
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(controlUrl, { method, body: body?.toString() ?? null, signal })
    const json = await answer.text()
    const type = 'application/json; charset=utf-8'
    writeHead(reply, answer.status, { 'content-type': type }).end(json)
  }
}
