import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { atFile, ignoreMissing, withFile } from '#kit/files'
import type { Row } from '#kit/table'
import { changed, type Mark, type OutputFile } from './output.ts'

/** How rows are written as text. */
export interface LineForm {
  /** The first line, with its end. Empty for none. */
  readonly head: string
  /** A row, with its end. */
  lineOf(row: Row): string
}

/**
 * A file of lines. Where an earlier run was stopped while it wrote, the rest of its text is added first.
 * @throws Error if the file is not what the mark says, besides an end that is missing.
 */
export async function openLines(path: string, form: LineForm, mark: Mark): Promise<OutputFile> {
  const { hash, size, missing } = await atFile(path, () => examine(path, mark))
  let { extent } = mark
  let staged = missing
  let length = size
  const commit = () =>
    withFile(path, 'a', async (file) => {
      // The bytes go to the end, wherever it is now.
      if ((await file.stat()).size !== length) throw changed(path)
      await file.appendFile(staged)
      await file.sync()
      length += staged.length
    })
  if (missing.length > 0) await commit()
  return {
    async stage(rows) {
      const text = (extent === 0 ? form.head : '') + rows.map((row) => form.lineOf(row)).join('')
      staged = Buffer.from(text)
      extent += staged.length
      hash.update(staged)
      return { extent, sha256: hash.copy().digest('hex'), pending: text }
    },
    commit,
  }
}

/** What the file has, and what it lacks. The hash is that of both. */
async function examine(
  path: string,
  { extent, sha256, pending }: Mark,
): Promise<{ readonly hash: Hash; readonly size: number; readonly missing: Buffer }> {
  const size = await sizeOf(path)
  const text = Buffer.from(pending)
  const begun = size - (extent - text.length)
  if (begun < 0 || begun > text.length) throw changed(path)
  const hash = createHash('sha256')
  if (size > 0) for await (const bytes of createReadStream(path, { end: size - 1 })) hash.update(bytes)
  const missing = text.subarray(begun)
  hash.update(missing)
  if (hash.copy().digest('hex') !== sha256) throw changed(path)
  return { hash, size, missing }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(ignoreMissing)
  if (found?.isDirectory()) throw new Error(`${path} is a folder. Use another name for --out.`)
  return found?.size ?? 0
}
