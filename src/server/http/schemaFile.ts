import type { IncomingMessage } from 'node:http'
import { parse, print, visit } from 'graphql'
import { publicSdl } from '../../engine/graphql/publicSdl.ts'
import type { Services } from '../services.ts'
import { sendError } from './httpError.ts'
import { addHeaders, type Reply, writeHead } from './reply.ts'
import { chargeFile, corsHeaders } from './requestGuards.ts'

export const schemaPath = '/schema.graphql'

/**
 * Serves the schema in SDL to GET and HEAD, so that generators can read it from a URL. Types, fields and
 * arguments are in the order of introspection. A gateway that requires API keys requires one here too. With
 * `?descriptions=false` it is a quarter as long, for readers that pay for each word.
 */
export function createSchemaFile({ schema, allowedOrigins, identify }: Services) {
  let whole: string | undefined
  let bare: string | undefined
  const textFor = (request: IncomingMessage): string => {
    whole ??= publicSdl(schema)
    if (!/[?&]descriptions=false(&|$)/.test(request.url ?? '')) return whole
    bare ??= withoutDescriptions(whole)
    return bare
  }
  return (request: IncomingMessage, reply: Reply): void => {
    addHeaders(reply, corsHeaders(allowedOrigins, request.headers.origin))
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const headers = { allow: 'GET, HEAD' }
      sendError(reply, { status: 405, message: 'Use GET.', headers })
      return
    }
    const client = identify.ofRequest(request)
    if ('status' in client) {
      sendError(reply, client)
      return
    }
    const text = textFor(request)
    const refusal = chargeFile(client, text.length)
    if (refusal) {
      sendError(reply, refusal)
      return
    }
    const response = writeHead(reply, 200, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    response.end(request.method === 'HEAD' ? undefined : text)
  }
}

/** A schema in SDL without its descriptions. */
function withoutDescriptions(text: string): string {
  const bare = visit(parse(text, { noLocation: true }), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  })
  return `${print(bare)}\n`
}
