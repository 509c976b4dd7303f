import { type FileHandle, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { atFile, withFile } from './files.ts'

/**
 * Writes a file that is there with all of its contents, or not at all, also if the machine stops. Its mode is that of the
 * umask unless one is given.
 */
export async function writeAtomically(path: string, contents: string | Uint8Array, mode?: number): Promise<void> {
  await writeDurably(`${path}.new`, contents, mode)
  await renameDurably(`${path}.new`, path)
}

/** Writes a file whose bytes are on the disk afterwards; its name is once its folder is synced. If that fails, it leaves nothing. */
export async function writeDurably(path: string, contents: string | Uint8Array, mode?: number): Promise<void> {
  const write = async (file: FileHandle) => {
    await file.writeFile(contents)
    await file.sync()
  }
  try {
    await withFile(path, 'w', write, mode)
  } catch (error) {
    await rm(path, { force: true }).catch(() => {})
    throw error
  }
}

/** Gives a file another name, which it also has after a power cut. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await atFile(to, () => rename(from, to))
  await syncFolder(dirname(to))
}

/** Waits until the names in a folder are on the disk. Windows cannot open one, and keeps its names by itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await withFile(folder, 'r', (handle) => handle.sync())
}
