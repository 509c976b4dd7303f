import { open, rename } from 'node:fs/promises'

/** Writes a file that is there with all of its contents, or not at all, also if the machine stops. Only its owner can read it. */
export async function writeAtomically(path: string, contents: string | Uint8Array): Promise<void> {
  const unfinished = `${path}.new`
  const file = await open(unfinished, 'w', 0o600)
  try {
    await file.writeFile(contents)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
}
