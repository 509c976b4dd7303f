/** How the messages of one socket reach the protocol. */
export interface OperationOrderOptions {
  /** Whether the protocol has an operation of this id, which its client has not ended. */
  readonly isOpen: (id: string) => boolean
  /** Hands a message to the protocol. Resolves when the operation that it starts has ended. */
  readonly handle: (text: string) => Promise<void>
  /** Called when the first message has to wait, and when the last one has been handled. */
  readonly pause: () => void
  readonly resume: () => void
}

/**
 * Returns a function that hands messages to the protocol. A client may use the id of an operation again as soon as it
 * has ended it. The protocol is then still closing the old operation, and would take the new one for it. So the new
 * operation waits, and so do all messages with its id that follow.
 */
export function createOperationOrder(options: OperationOrderOptions): (text: string) => void {
  const { isOpen, handle, pause, resume } = options
  /** Operations that the protocol is not done with, by their ids. */
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Message[]>()

  const deliver = ({ id, isStart, text }: Message) => {
    const done = handle(text)
    if (id === undefined || !isStart) return
    const ended = () => {
      if (running.get(id) !== done) return
      running.delete(id)
      serve(id)
    }
    running.set(id, done)
    done.then(ended, ended)
  }

  const serve = (id: string) => {
    const messages = waiting.get(id)
    if (!messages) return
    for (let next = messages[0]; next && !mustWait(next); next = messages[0]) {
      messages.shift()
      deliver(next)
    }
    if (messages.length > 0) return
    waiting.delete(id)
    if (waiting.size === 0) resume()
  }

  const mustWait = ({ id, isStart }: Message): boolean =>
    id !== undefined && isStart && running.has(id) && !isOpen(id)

  return (text) => {
    const message = readMessage(text)
    const { id } = message
    const before = id === undefined ? undefined : waiting.get(id)
    if (before) before.push(message)
    else if (id !== undefined && mustWait(message)) {
      if (waiting.size === 0) pause()
      waiting.set(id, [message])
    } else deliver(message)
  }
}

interface Message {
  readonly text: string
  readonly id: string | undefined
  /** Whether it starts an operation. */
  readonly isStart: boolean
}

function readMessage(text: string): Message {
  try {
    const { id, type } = JSON.parse(text) ?? {}
    return { text, id: typeof id === 'string' ? id : undefined, isStart: type === 'subscribe' }
  } catch {
    // The protocol refuses what is not JSON.
    return { text, id: undefined, isStart: false }
  }
}
