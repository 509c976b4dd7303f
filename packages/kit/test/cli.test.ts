import { afterAll, expect, test } from 'vitest'
import { checkGraphUrl, type Program, runProgram, untilAborted } from '../src/cli.ts'
import { compileKit, startProgram } from './support/program.ts'

const kit = compileKit()
afterAll(() => kit[Symbol.dispose]())

/** What a command line of a program writes and ends with. */
async function run(argv: readonly string[], parts: Partial<Program<string>>) {
  const out: string[] = []
  const err: string[] = []
  const code = await runProgram(
    argv,
    {
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
    },
    {
      help: 'Usage.\n',
      read: ([word]) => word,
      run: async () => 0,
      ...parts,
    },
  )
  return { code, out: out.join(''), err: err.join('') }
}

test('options that are wrong end with 2, and are explained before the help on the error stream', async () => {
  const read = () => {
    throw new Error('There is no option --fast.')
  }
  expect(await run(['--fast'], { read })).toEqual({ code: 2, out: '', err: 'There is no option --fast.\n\nUsage.\n' })
})

test('help is written to the output, and ends with 0', async () => {
  expect(await run(['--help'], { read: () => undefined })).toEqual({ code: 0, out: 'Usage.\n', err: '' })
})

test('a run ends with its own code', async () => {
  expect(await run(['go'], { run: async (word) => (word === 'go' ? 3 : 0) })).toEqual({ code: 3, out: '', err: '' })
})

test('a run that throws ends with 1, and the message says what the program adds', async () => {
  const fail = async () => Promise.reject(new Error('no room'))
  expect(await run(['go'], { run: fail })).toEqual({ code: 1, out: '', err: 'no room\n' })
  expect(await run(['go'], { run: fail, fault: 'It could not start: ' })).toMatchObject({
    err: 'It could not start: no room\n',
  })
  expect(await run(['go'], { run: async () => Promise.reject('text') })).toMatchObject({ code: 1, err: 'text\n' })
})

test.each(['', 'graph.example', 'file:///graph', 'ftp://graph.example'])('%j is no URL of a graph', (url) => {
  expect(() => checkGraphUrl(url)).toThrow('The option --url has the URL of the graph')
})

test('the URL of a graph stays as it is', () => {
  for (const url of ['https://graph.example/graphql', 'http://127.0.0.1:4000/graphql?a=b']) {
    expect(checkGraphUrl(url)).toBe(url)
  }
})

test('a signal that has aborted is not waited for', async () => {
  await untilAborted(AbortSignal.abort())
})

const program = `import { processIo, runProgram, untilAborted } from ${kit.importOf('cli')}
const io = processIo()
const run = async () => {
  io.out('started ' + io.env.NAME)
  setInterval(() => {}, 1_000).ref()
  await untilAborted(io.signal)
  io.err('stopped')
  return 7
}
process.exit(await runProgram(process.argv.slice(1), io, { help: '', read: () => true, run }))`

test.each(['SIGINT', 'SIGTERM'] as const)('a process stops in order at %s', async (signal) => {
  const child = startProgram(program, [], ['env', 'NAME=kit'])
  expect(await child.first).toBe('started kit')
  child.kill(signal)
  expect(await child.ended).toEqual([7, null])
  expect(child.texts.err).toBe('stopped')
})
