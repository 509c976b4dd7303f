// A slow link to a TCP server: what is sent over it comes late, and connections break now and then.
import { connect, createServer } from 'node:net'

/**
 * Opens a link to a port of this machine. Each piece comes `delayMs` later, and `jitterMs` more at most, in order; one that is
 * lost comes when it is sent again, `resendMs` later, as TCP does; and after some pieces the connection is reset.
 */
export async function openLink(port, { delayMs, jitterMs, lostShare, resendMs, resetShare, random }) {
  const sockets = new Set()
  const isHit = (share) => random() < share
  const pass = (from, to) => {
    let due = 0
    from.on('data', (piece) => {
      if (isHit(resetShare)) {
        from.resetAndDestroy()
        to.resetAndDestroy()
        return
      }
      const late = delayMs + random() * jitterMs + (isHit(lostShare) ? resendMs : 0)
      due = Math.max(due, performance.now() + late)
      setTimeout(() => to.writable && to.write(piece), due - performance.now())
    })
    from.on('end', () => setTimeout(() => to.end(), Math.max(0, due - performance.now()) + 1))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      setTimeout(() => to.destroy(), Math.max(0, due - performance.now()) + 1_000)
    })
    sockets.add(from)
  }
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    pass(near, far)
    pass(far, near)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: server.address().port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
