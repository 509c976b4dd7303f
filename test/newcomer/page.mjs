// A page of the documentation as a reader follows it: its blocks in their order.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from './processes.mjs'

const root = new URL('../../', import.meta.url)

export const textOf = (page) => readFileSync(new URL(page, root), 'utf8')

/** The blocks of a page: language, file name if they have one, and text. */
export const blocksOf = (page) =>
  [...textOf(page).matchAll(/^```(\w+)(?: (\S+\.\w+))?\n(.*?)^```$/gms)].map(([, language, file, text]) => ({
    language,
    file,
    text,
  }))

/** Writes a file, with its folders. */
export function write(folder, file, text) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/**
 * Follows a page from a folder: writes its files, runs its commands, and stays in the folder that a command has
 * changed to. `change` is what differs here from what the page says. Commands that `skip` matches are left out.
 * Returns the folder at the end.
 */
export async function follow(page, { folder, change, skip = /^$/ }) {
  let cwd = folder
  for (const { language, file, text } of blocksOf(page)) {
    if (file) write(cwd, file, change(text))
    if (language !== 'sh') continue
    const commands = text.split('\n').filter((line) => !skip.test(line))
    // The last line that is written is the folder for the next commands.
    const lines = await run('sh', ['-euc', `${change(commands.join('\n'))}\npwd`], { cwd })
    cwd = lines.at(-1)
  }
  return cwd
}
