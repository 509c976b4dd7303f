import type { IncomingMessage } from 'node:http'
import { parse, print, visit } from 'graphql'
import { publicSdl } from '../../engine/graphql/publicSdl.ts'
import { sendError } from '../http/httpError.ts'
import { type Handler, writeHead } from '../http/reply.ts'
import { allowOrigins, chargeFile, identifyClient, onlyReads } from '../http/requestGuards.ts'
import type { TransportServices } from '../http/transportServices.ts'
import { type ClientExchange, way } from '../http/way.ts'

export const schemaPath = '/schema.graphql'

type SchemaServices = Pick<TransportServices, 'schema' | 'allowedOrigins' | 'identify'>

/**
 * Serves the schema in SDL to GET and HEAD, so that generators can read it from a URL. Types, fields and
 * arguments are in the order of introspection. A gateway that requires API keys requires one here too. With
 * `?descriptions=false` it is a quarter as long, for readers that pay for each word.
 */
export function createSchemaFile({ schema, allowedOrigins, identify }: SchemaServices): Handler {
  let whole: string | undefined
  let bare: string | undefined
  const textFor = (request: IncomingMessage): string => {
    whole ??= publicSdl(schema)
    if (!/[?&]descriptions=false(&|$)/.test(request.url ?? '')) return whole
    bare ??= withoutDescriptions(whole)
    return bare
  }
  const send = ({ request, reply, client }: ClientExchange) => {
    const text = textFor(request)
    const refusal = chargeFile(client, text.length)
    if (refusal) return sendError(reply, refusal)
    const response = writeHead(reply, 200, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    response.end(request.method === 'HEAD' ? undefined : text)
  }
  return way().step(allowOrigins(allowedOrigins)).step(onlyReads).step(identifyClient(identify)).end(send)
}

/** A schema in SDL without its descriptions. */
function withoutDescriptions(text: string): string {
  const bare = visit(parse(text, { noLocation: true }), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  })
  return `${print(bare)}\n`
}
