import { randomUUID } from 'node:crypto'
import type { Clock } from '../../kit/clock/clock.ts'
import type { ClientKey } from '../clients/identify.ts'
import type { Services } from '../services.ts'
import { createSharedStream, type SharedStream } from './sharedStream.ts'

/** The shared streams of a server that are reserved or open, by their tokens. */
export interface Reservations {
  /** Reserves a stream. Returns its token, or undefined if the client has too many or the server closes. */
  reserve(key: ClientKey): string | undefined
  /** The stream with a token. The streams of other clients are not found. */
  find(token: string, key: ClientKey): Reservation | undefined
  /** Whether no stream is reserved any more. */
  readonly isOver: boolean
  /** Ends the reservations that are not open, and refuses new ones. */
  end(): void
}

/** A stream, or its reservation. */
export interface Reservation {
  readonly stream: SharedStream
  /** Opens the stream, which then has comments. False if it is open already. */
  open(): boolean
  /** Ends the stream, and frees its place. */
  drop(): void
}

/** Milliseconds until a reservation that is not used ends. */
const reservedMs = 10_000

/** Milliseconds between two comments on a stream. The same as between the pings of a WebSocket. */
const pingMs = 12_000

/** Opens the reservations of a server. */
export function createReservations({ quota, clock, unread }: Services): Reservations {
  const entries = new Map<string, Entry>()
  let isOver = false
  return {
    get isOver() {
      return isOver
    },
    reserve(key) {
      const release = isOver ? undefined : quota.acquire(key)
      if (!release) return undefined
      const token = randomUUID()
      const onDrop = () => {
        entries.delete(token)
        release()
      }
      entries.set(token, createEntry(createSharedStream(key, unread), clock, onDrop))
      return token
    },
    find(token, key) {
      const entry = entries.get(token)
      return entry?.stream.key === key ? entry : undefined
    },
    end() {
      isOver = true
      for (const { isOpen, drop } of [...entries.values()]) if (!isOpen) drop()
    },
  }
}

interface Entry extends Reservation {
  readonly isOpen: boolean
}

/** Creates the entry of a stream, which ends by itself unless it is opened in time. */
function createEntry(stream: SharedStream, clock: Clock, onDrop: () => void): Entry {
  let isOpen = false
  let isDropped = false
  const drop = () => {
    if (isDropped) return
    isDropped = true
    cancel()
    stream.close()
    onDrop()
  }
  const ping = () => {
    stream.ping()
    cancel = clock.after(pingMs, ping)
  }
  let cancel = clock.after(reservedMs, drop)
  return {
    stream,
    drop,
    get isOpen() {
      return isOpen
    },
    open() {
      if (isOpen) return false
      isOpen = true
      cancel()
      cancel = clock.after(pingMs, ping)
      return true
    },
  }
}
