import type { Clock } from '../../clock/clock.ts'

/** What can be made to wait before it says more. */
interface Pausable {
  pause(): void
  resume(): void
}

/**
 * Lets a speaker say so many things a second: to be called at each. One who says more is heard later,
 * as its network holds back what it goes on to send; nothing is lost, and nothing queued in here.
 */
export function createThrottle(speaker: Pausable, perSecond: number, clock: Clock): () => void {
  let began = clock.now()
  let said = 0
  return () => {
    const now = clock.now()
    if (now - began >= 1_000) {
      began = now
      said = 0
    }
    said += 1
    // Above the bound is what had arrived before the pause; it has its timer already.
    if (said !== perSecond) return
    speaker.pause()
    clock.after(began + 1_000 - now, () => speaker.resume())
  }
}
