import type { Steps } from '#kit/steps'
import type { FairScheduler } from '../../../kit/clock/fairScheduler.ts'
import { longestAtOnce, parseLongJson } from '../../wire/longJson.ts'
import { foreignNotFound, type ResponseReader, readResponse } from '../readResponse.ts'
import type { Call, CallOutcome, Decoded, Next } from './call.ts'
import type { Received, Send } from './send.ts'

/** Bytes of a body that is read in the turn of its client. Other work comes before the work on its records. */
const longBody = 256 * 1024

/** Who takes turns to read. */
interface ReadTurns {
  /** For responses to heavy requests. */
  readonly scheduler: FairScheduler
  /** For other long bodies, beside all other work of the clients. */
  readonly bodyScheduler: FairScheduler
}

/** Sends a call, and reads its response. Responses to heavy requests and long bodies are read in turns. */
export const decodeAfter =
  (send: Send, reader: ResponseReader, { scheduler, bodyScheduler }: ReadTurns): Next =>
  (call, end) =>
    send(call, (outcome) => {
      if (!outcome || 'error' in outcome) return end(outcome)
      const { isHeavy, client } = call.requester
      const received = outcome.value
      if (received.response.bytes >= longBody) {
        const turns = isHeavy ? scheduler : bodyScheduler
        readInTurns(call, turns, readLong(reader, call, received)).then((value) => setImmediate(end, value))
      } else {
        const read = () => end(decoded(reader, call, received))
        if (isHeavy) scheduler.run(client, read)
        else read()
      }
    })

/** Does the steps of reading in turns of the client that began the call, unless all callers leave. */
async function readInTurns<T, V>(
  { flight, requester }: Call<V>,
  turns: FairScheduler,
  steps: Steps<T>,
): Promise<T | undefined> {
  while (!flight.isCancelled) {
    const { done, value } = await turns.run(requester.client, () => steps.next())
    if (done) return value
  }
  return undefined
}

/** Reads a long body: its JSON in steps, if it is too long for the parser, and then its value in one. */
function* readLong<T>(
  reader: ResponseReader,
  call: Call<T>,
  received: Received,
): Steps<CallOutcome<Decoded<T> | null>> {
  const { status, text } = received.response
  const hasValue = status >= 200 && status <= 299 && !call.request.isText
  if (!hasValue || text.length <= longestAtOnce) return decoded(reader, call, received)
  let parse: () => unknown
  try {
    const value = yield* parseLongJson(text)
    parse = () => value
  } catch (error) {
    parse = () => {
      throw error
    }
  }
  yield
  return decoded(reader, call, received, parse)
}

/** The value of a response, or the error that it stands for. `parse` gives JSON that has been read already. */
function decoded<T>(
  reader: ResponseReader,
  { request }: Call<T>,
  { response, sentAt }: Received,
  parse?: () => unknown,
): CallOutcome<Decoded<T> | null> {
  if (response.status === 404 && request.method === 'GET') {
    const error = foreignNotFound(reader, response, request.route)
    if (error) return { error }
    if (!request.is404Error) return { value: null }
  }
  const { bytes } = response
  try {
    return { value: { value: readResponse(reader, request, response, parse), bytes, sentAt } }
  } catch (error) {
    return { error }
  }
}
