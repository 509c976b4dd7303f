import type { Identify } from '../clients/identify.ts'
import { type HttpError, sendError } from '../http/httpError.ts'
import { readBody, textOf } from '../http/readBody.ts'
import { type Handler, writeHead } from '../http/reply.ts'
import { identifyClient, onlyGraphql } from '../http/requestGuards.ts'
import { type Exchange, way } from '../http/way.ts'

/** The path that breaks and mends the services of a sandbox. */
export const sandboxPath = '/sandbox/faults'

const maxBytes = 1_024
/** Milliseconds. A busy machine may need seconds for an answer of its own process. */
const timeoutMs = 10_000

/**
 * Passes requests on to the control of a sandbox. Undefined without one: there is no such route then. Pages of other origins cannot
 * use it: browsers ask before they send JSON elsewhere, and get no leave here.
 */
export function createSandboxRoute(controlUrl: string | undefined, identify: Identify): Handler | undefined {
  if (controlUrl === undefined) return undefined
  const passOn = async ({ request, reply }: Exchange) => {
    const { method = 'GET' } = request
    const body = method === 'POST' ? await readBody(request, maxBytes) : null
    if (body === undefined) return sendError(reply, { status: 413, message: 'Too large.' })
    const answer = await askControl(controlUrl, method, body && textOf(body))
    if (!answer) return sendError(reply, noAnswer)
    const type = 'application/json; charset=utf-8'
    writeHead(reply, answer.status, { 'content-type': type }).end(answer.json)
  }
  return way().step(onlyGraphql).step(identifyClient(identify)).end(passOn)
}

const noAnswer: HttpError = {
  status: 503,
  message: 'The sandbox does not answer.',
  code: 'UPSTREAM_UNAVAILABLE',
}

/** The answer of the control. Undefined if there is none in time, which is no fault of this server. */
async function askControl(url: string, method: string, body: string | null) {
  const signal = AbortSignal.timeout(timeoutMs)
  const ask = async () => {
    const answer = await fetch(url, { method, body, signal })
    return { status: answer.status, json: await answer.text() }
  }
  // An idle connection can be closed as it is used. Every command can be repeated: it says what shall be.
  return ask()
    .catch(ask)
    .catch(() => undefined)
}
