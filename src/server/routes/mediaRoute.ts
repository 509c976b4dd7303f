import type { IncomingMessage } from 'node:http'
import { callCost } from '../../engine/graphql/builder.ts'
import { MediaError, type MediaFault } from '../../engine/media/fault.ts'
import type { Media, Picture } from '../../engine/media/media.ts'
import { mediaPrefix } from '../../engine/media/paths.ts'
import type { ErrorCode } from '../../engine/upstream/error.ts'
import { type Signal, SignalSource } from '../../kit/clock/signal.ts'
import type { Client } from '../clients/client.ts'
import { type HttpError, sendError, toHttpError } from '../http/httpError.ts'
import { addHeaders, type Handler, type Reply } from '../http/reply.ts'
import { allowOrigins, chargeFile, chargePoints, onlyReads, pathOf } from '../http/requestGuards.ts'
import { type Exchange, type RequestStep, way } from '../http/way.ts'
import type { Services } from '../services.ts'
import { sendFile } from '../static/staticFile.ts'

/** Whether a path is one of media. */
export const isMediaPath = (path: string): boolean => path.startsWith(mediaPrefix)

/** The status and the code for each reason. No body of a host is passed on but an image. */
const statuses: Readonly<Record<MediaFault, readonly [status: number, code: ErrorCode]>> = {
  MEDIA_OFF: [404, 'NOT_CONFIGURED'],
  NO_URI: [404, 'UPSTREAM_REJECTED'],
  UNSUPPORTED_URI: [403, 'UPSTREAM_REJECTED'],
  NOT_PUBLIC: [403, 'UPSTREAM_REJECTED'],
  UNREACHABLE: [502, 'UPSTREAM_UNAVAILABLE'],
  TIMED_OUT: [504, 'UPSTREAM_TIMEOUT'],
  REJECTED: [502, 'UPSTREAM_REJECTED'],
  TOO_LARGE: [502, 'UPSTREAM_INVALID_RESPONSE'],
  INVALID: [502, 'UPSTREAM_INVALID_RESPONSE'],
  SVG: [415, 'UPSTREAM_INVALID_RESPONSE'],
  NOT_AN_IMAGE: [415, 'UPSTREAM_INVALID_RESPONSE'],
  BUSY: [503, 'UPSTREAM_UNAVAILABLE'],
}

/**
 * Serves pictures of NFTs to GET and HEAD at signed paths. Browsers send no key with an image, so that the signature is
 * the permission, and each request costs points: those of an upstream request, and those of its bytes.
 */
export function createMediaRoute(
  media: Pick<Media, 'sourceAt' | 'picture'>,
  { allowedOrigins, identify, unread, backpressure }: Services,
): Handler {
  const send = (picture: Picture, client: Client, request: IncomingMessage, reply: Reply) => {
    const file = { bodies: { identity: picture.bytes }, headers: makeHeaders(picture) }
    sendFile(file, request, reply, (bytes) => chargeFile(client, bytes))
    backpressure.track(reply.response, client, picture.bytes.length)
  }

  const answer = async ({ request, reply }: Exchange) => {
    const client = identify.ofUpgrade(request)
    if ('status' in client) return sendError(reply, client)
    const source = media.sourceAt(pathOf(request))
    if (!source) return sendError(reply, unsigned)
    const mustRead = unread.refuse(client.key)
    if (mustRead) return sendError(reply, toHttpError(mustRead, 503))
    const refusal = chargePoints(client, callCost)
    if (refusal) return sendError(reply, refusal)
    const signal = signalOf(reply)
    try {
      send(await media.picture(source, { requester: { client: client.key }, signal }), client, request, reply)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof MediaError)) throw error
      const [status, code] = statuses[error.fault]
      sendError(reply, { status, code, reason: error.fault, message: error.message })
    }
  }
  return way().step(allowOrigins(allowedOrigins)).step(protectPicture).step(onlyReads).end(answer)
}

const protectPicture: RequestStep<Exchange> = (exchange, next) => {
  addHeaders(exchange.reply, pictureHeaders)
  return next(exchange)
}

const unsigned: HttpError = {
  status: 403,
  message:
    'The gateway has not signed this path, or with a key that it no longer has. Read the URL from the graph again.',
}

/** Whatever it is: nothing of it runs, and it belongs to no origin. Pages of other origins may show it. */
const pictureHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
}

/** A picture can change at its URI, but seldom does. */
const makeHeaders = ({ type, etag }: Picture): Record<string, string> => ({
  'content-type': type,
  'content-disposition': 'inline',
  'cache-control': 'public, max-age=86400',
  etag,
})

/** Aborts when the client leaves. */
function signalOf({ response }: Reply): Signal {
  const signal = new SignalSource()
  response.once('close', () => {
    if (!response.writableFinished) signal.abort()
  })
  return signal
}
