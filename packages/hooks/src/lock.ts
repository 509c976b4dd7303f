import { open, readFile, rm } from 'node:fs/promises'

/**
 * Takes a file for this process, until the result is disposed of. A lock whose process is gone is taken over.
 * @throws Error if another process has it.
 */
export async function takeLock(out: string): Promise<AsyncDisposable> {
  const path = `${out}.lock`
  const take = async () => {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(String(process.pid))
    await file.close()
  }
  await take().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    const owner = Number(await readFile(path, 'utf8'))
    if (isRunning(owner)) throw new Error(`Process ${owner} is writing ${out}.`)
    await rm(path, { force: true })
    await take()
  })
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
}

function isRunning(process_: number): boolean {
  if (!(process_ > 0) || process_ === process.pid) return false
  try {
    return process.kill(process_, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
