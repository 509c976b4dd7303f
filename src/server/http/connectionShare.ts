import type { Server, Socket } from 'node:net'
import type { RefusingLimit } from '../../upstream/error.ts'
import { clientOf, parseAddress } from '../clients/address.ts'
import type { OpenConnections } from './openConnections.ts'

/** How connections are divided among addresses. */
export interface ConnectionShareOptions {
  readonly maxConnections: number
  /** Whether connections from an address are those of many clients. */
  readonly isProxy: (address: string) => boolean
  readonly connections: Pick<OpenConnections, 'isIdle'>
  readonly onRefusal: (limit: RefusingLimit) => void
}

/** The share of all connections that one address may hold. */
const shareOfAddress = 0.75

/**
 * Keeps one address from holding all connections of a server. An address that is no trusted proxy has a share of
 * them. When all are taken, an idle one of the address with most is closed for a newcomer from elsewhere. A request
 * that has not arrived completely keeps none open.
 */
export function shareConnections(server: Server, options: ConnectionShareOptions): void {
  const { maxConnections, isProxy, connections, onRefusal } = options
  const share = Math.max(1, Math.floor(maxConnections * shareOfAddress))
  const byAddress = new Map<string, Set<Socket>>()
  let total = 0
  // One more than allowed, which is refused here or takes the place of another one.
  server.maxConnections = maxConnections + 1

  const largest = () => {
    let found: readonly [string, Set<Socket>] | undefined
    for (const entry of byAddress) if (!found || entry[1].size > found[1].size) found = entry
    return found
  }
  /** Closes an idle connection of the address with most, unless that is this one. */
  const makeRoom = (address: string): boolean => {
    const [busiest, sockets] = largest() ?? []
    if (busiest === address) return false
    for (const socket of sockets ?? []) {
      if (!connections.isIdle(socket)) continue
      socket.destroy()
      return true
    }
    return false
  }

  server.on('connection', (socket: Socket) => {
    const address = clientOf(parseAddress(socket.remoteAddress ?? '') ?? '')
    const own = byAddress.get(address) ?? new Set()
    const isOver = own.size >= share && !isProxy(address)
    if (isOver || (total >= maxConnections && !makeRoom(address))) {
      onRefusal('connections')
      socket.destroy()
      return
    }
    total += 1
    byAddress.set(address, own.add(socket))
    socket.once('close', () => {
      total -= 1
      own.delete(socket)
      if (own.size === 0) byAddress.delete(address)
    })
  })
}
