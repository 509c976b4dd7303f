import type { FairScheduler } from '../../../kit/clock/fairScheduler.ts'
import { foreignNotFound, type ResponseReader, readResponse } from '../readResponse.ts'
import type { Call, CallOutcome, Decoded, Next } from './call.ts'
import type { Received, Send } from './send.ts'

/** A body of so many bytes takes long to read: other work comes before the work on its records. */
const longBody = 512 * 1024

/** Sends a call, and reads its response. Responses to heavy requests are read in turns. */
export const decodeAfter =
  (send: Send, reader: ResponseReader, scheduler: FairScheduler): Next =>
  (call, end) =>
    send(call, (outcome) => {
      if (!outcome || 'error' in outcome) return end(outcome)
      const { response } = outcome.value
      const read = () => {
        const value = decoded(reader, call, outcome.value)
        if (response.bytes < longBody) end(value)
        else setImmediate(end, value)
      }
      const { isHeavy, client } = call.requester
      if (isHeavy) scheduler.run(client, read)
      else read()
    })

/** The value of a response, or the error that it stands for. */
function decoded<T>(
  reader: ResponseReader,
  { request }: Call<T>,
  { response, sentAt }: Received,
): CallOutcome<Decoded<T> | null> {
  if (response.status === 404 && !request.is404Error) {
    const error = foreignNotFound(reader.service, response, request.route)
    return error ? { error } : { value: null }
  }
  const { bytes } = response
  try {
    return { value: { value: readResponse(reader, request, response), bytes, sentAt } }
  } catch (error) {
    return { error }
  }
}
