/** The id of the event that ends a stream. A request that names it as the last event has nothing to resume. */
export const streamEndId = 'complete'

const end = 'event: complete\n'

/**
 * The parts of an event stream, with an id for the event that ends it. An `EventSource` does not know that event: it
 * reconnects every three seconds, with the id of the last event, until it gets 204.
 */
export async function* nameEnd(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of parts)
    yield withId(Buffer.from(part.buffer, part.byteOffset, part.length))
}

/** Data is JSON on one line, so this line is never a part of it. */
function withId(part: Buffer): Buffer {
  const at = part.lastIndexOf(end)
  if (at < 0 || (at > 0 && part[at - 1] !== newline)) return part
  const after = at + end.length
  const id = Buffer.from(`id: ${streamEndId}\n`)
  return Buffer.concat([part.subarray(0, after), id, part.subarray(after)])
}

const newline = 10
