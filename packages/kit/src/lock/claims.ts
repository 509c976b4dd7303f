import { isMissing, withFile } from '../files.ts'
import type { ProcessName } from './processName.ts'

/** A line of a lock file: a process wants to own the lock after another claim, or as the first. */
export interface Claim extends ProcessName {
  readonly token: string
  /** The token of the owner that it follows. Null for the first. */
  readonly after: string | null
}

/** A lock file as it was at one moment. */
export interface Log {
  readonly owner: Claim | undefined
  /** Changes with each claim, and with each sign of life. */
  readonly stamp: string
}

/**
 * Reads a lock file. The owner is the first claim that follows none, then the first that follows that one, and so on: so all
 * readers agree on who came first, and a later claim on the same place is void.
 */
export async function readLog(path: string): Promise<Log> {
  const { text, stamp } = await readWhole(path)
  const claims = text.split('\n').flatMap(toClaim)
  let owner: Claim | undefined
  for (const claim of claims) if (claim.after === (owner?.token ?? null)) owner = claim
  return { owner, stamp }
}

/** Adds a claim. The line end comes first, so that a claim which a full disk cut off ends there. */
export const addClaim = (path: string, claim: Claim): Promise<void> =>
  withFile(path, 'a', (file) => file.appendFile(`\n${JSON.stringify(claim)}`))

async function readWhole(path: string): Promise<{ readonly text: string; readonly stamp: string }> {
  try {
    // A network file system tells the state of an opened file, and remembers an older one for its name.
    return await withFile(path, 'r', async (file) => {
      const { ino, mtimeMs, size } = await file.stat()
      return { text: await file.readFile('utf8'), stamp: `${ino} ${mtimeMs} ${size}` }
    })
  } catch (error) {
    if (isMissing(error)) return { text: '', stamp: '' }
    throw error
  }
}

/** What is no claim is a part of one, or the PID that an older release wrote. */
function toClaim(line: string): readonly Claim[] {
  try {
    const claim: unknown = JSON.parse(line)
    return typeof claim === 'object' && claim !== null && 'token' in claim ? [claim as Claim] : []
  } catch {
    return []
  }
}
