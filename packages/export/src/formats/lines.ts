import { open } from 'node:fs/promises'
import type { Row } from '../table.ts'
import type { Output } from './output.ts'

/** How rows are written as text. */
export interface LineForm {
  /** The first line, with its end. Empty for none. */
  readonly head: string
  /** A row, with its end. */
  lineOf(row: Row): string
}

/**
 * A file of lines, whose extent is its length in bytes. What it has beyond the known extent is cut off: its writer was
 * stopped before it had noted these lines, which come again. Only its owner can read it.
 */
export async function openLines(path: string, form: LineForm, extent: number): Promise<Output> {
  const file = await open(path, extent === 0 ? 'w' : 'r+', 0o600)
  const { size } = await file.stat()
  if (size < extent) {
    await file.close()
    throw new Error(`${path} is shorter than when it was written. Remove it and its state to export it anew.`)
  }
  await file.truncate(extent)
  let length = extent
  const write = async (text: string) => {
    const bytes = Buffer.from(text)
    await file.write(bytes, 0, bytes.length, length)
    length += bytes.length
  }
  return {
    async append(rows) {
      const head = length === 0 ? form.head : ''
      const text = head + rows.map((row) => form.lineOf(row)).join('')
      if (text !== '') await write(text)
      await file.sync()
      return length
    },
    flush: async () => length,
    close: () => file.close(),
  }
}
