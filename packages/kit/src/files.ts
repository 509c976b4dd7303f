import { type FileHandle, open } from 'node:fs/promises'

/** What the codes of the system mean for somebody who looks at a disk. */
const causes: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'it is larger than this process may write',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'the disk can only be read',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EIO: 'the disk has a fault',
}

/** Runs what reads or writes a file, and says which file it was and why if that fails. */
export async function atFile<Result>(path: string, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (typeof code !== 'string' || !(error instanceof Error) || !('syscall' in error)) throw error
    const why = `${causes[code] ?? 'the system refused'} (${code})`
    const advice = /^(ENOSPC|EDQUOT|EFBIG)$/.test(code) ? ' Make room, and run the same command again to continue.' : ''
    throw new Error(`${path} cannot be read or written: ${why}.${advice}`, { cause: error })
  }
}

/** Whether an error says that there is no such file. Its cause says so if `atFile` has put it into words. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'ENOENT') || isMissing(error.cause))

/** Undefined for a file that is not there, as the handler of a failed read. */
export function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

/** Opens a file, and closes it whatever happens. A new file has the `mode`. */
export function withFile<Result>(
  path: string,
  flags: string,
  use: (file: FileHandle) => Promise<Result>,
  mode?: number,
): Promise<Result> {
  return atFile(path, async () => {
    const file = await open(path, flags, mode)
    try {
      return await use(file)
    } finally {
      await file.close()
    }
  })
}
