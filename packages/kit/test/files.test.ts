import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { atFile, ignoreMissing, isMissing, withFile } from '../src/files.ts'
import { writeAtomically } from '../src/writeAtomically.ts'
import { compileKit, startFolder, startProgram } from './support/program.ts'

const kit = compileKit()
afterAll(() => kit[Symbol.dispose]())

test('a process that is killed while it writes leaves the old contents or the new ones, and never a part', async () => {
  using folder = startFolder()
  const file = folder.fileOf('state')
  const program = `import { writeAtomically } from ${kit.importOf('writeAtomically')}
    for (let count = 0; ; count += 1) {
      await writeAtomically(process.argv[1], String(count % 10).repeat(3_000_000))
      if (count === 0) process.stdout.write('written')
    }`
  for (const delay of [1, 3, 7, 12, 20, 31]) {
    const child = startProgram(program, [file])
    await child.first
    setTimeout(() => child.kill('SIGKILL'), delay)
    await child.ended
    const text = readFileSync(file, 'utf8')
    expect(text).toHaveLength(3_000_000)
    expect(text).toBe((text[0] ?? '').repeat(3_000_000))
  }
  // What the last one left unfinished is in nobody's way.
  await writeAtomically(file, 'short')
  expect(readFileSync(file, 'utf8')).toBe('short')
  expect(readdirSync(folder.fileOf('.'))).toEqual(['state'])
})

test('a write for which there is no room changes nothing, leaves nothing, and says why', async () => {
  using folder = startFolder()
  const file = folder.fileOf('state')
  await writeAtomically(file, 'old')
  const program = `import { writeAtomically } from ${kit.importOf('writeAtomically')}
    await writeAtomically(process.argv[1], 'x'.repeat(100_000)).catch(({ message }) => process.stdout.write(message))`
  const child = startProgram(program, [file], ['sh', '-c', 'ulimit -f 20; exec "$@"', 'sh'])
  expect(await child.ended).toEqual([0, null])
  expect(child.texts.out).toBe(
    `${file}.new cannot be read or written: it is larger than this process may write (EFBIG). Make room, and run the same command again to continue.`,
  )
  expect(readFileSync(file, 'utf8')).toBe('old')
  expect(readdirSync(folder.fileOf('.'))).toEqual(['state'])
})

test('a file has the mode that is asked for, also when it is written again', async () => {
  using folder = startFolder()
  const file = folder.fileOf('cursor')
  writeFileSync(file, 'of before', { mode: 0o644 })
  await writeAtomically(file, 'a', 0o600)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a fault says which file it was and why, and keeps its cause', async () => {
  using folder = startFolder()
  const missing = folder.fileOf('none/a')
  const fault = await withFile(missing, 'w', async () => {}).catch((error: unknown) => error)
  expect(fault).toMatchObject({ message: `${missing} cannot be read or written: its folder does not exist (ENOENT).` })
  expect(isMissing(fault)).toBe(true)
  expect(ignoreMissing(fault)).toBeUndefined()
  mkdirSync(folder.fileOf('b'))
  const other = await withFile(folder.fileOf('b'), 'w', async () => {}).catch((error: unknown) => error)
  expect(other).toMatchObject({ message: expect.stringContaining('it is a folder (EISDIR)') })
  expect(() => ignoreMissing(other)).toThrow('it is a folder')
})

test('an error that is none of a file passes as it is', async () => {
  const own = new Error('mine')
  await expect(atFile('a', () => Promise.reject(own))).rejects.toBe(own)
})
