import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Bytes of an entry with all that it imports, minified and compressed: what is loaded at once, and what later. */
async function sizesOf(entry: string, external: string[] = []) {
  const { outputFiles, metafile } = await build({
    entryPoints: [new URL(`../src/${entry}`, import.meta.url).pathname],
    ...{ bundle: true, minify: true, format: 'esm', write: false, external },
    ...{ splitting: true, outdir: '/', absWorkingDir: '/', metafile: true },
  })
  const first = Object.entries(metafile.outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith(`/src/${entry.replace(/^.*\/src\//, '')}`),
  )
  const atOnce = new Set([`/${first?.[0]}`])
  for (const { path, kind } of first?.[1].imports ?? []) {
    if (kind === 'import-statement' && !external.includes(path)) atOnce.add(`/${path}`)
  }
  const sum = (isAtOnce: boolean) =>
    outputFiles
      .filter(({ path }) => atOnce.has(path) === isAtOnce)
      .reduce((total, { contents }) => total + gzipSync(contents).length, 0)
  return { atOnce: sum(true), later: sum(false) }
}

test('the client is at most 5.6 kB, and its socket protocol at most 1.5 kB', async () => {
  const client = await sizesOf('client.ts')
  expect((await sizesOf('socket.ts')).atOnce).toBeLessThanOrEqual(1_500)
  expect(client.atOnce).toBeLessThanOrEqual(5_600)
  expect(client.atOnce).toBeGreaterThan(4_000)
})

test('the words are at most 42 kB', async () => {
  const words = await sizesOf('../../words/src/words.ts')
  expect(words.atOnce).toBeLessThanOrEqual(42_000)
  expect(words.atOnce).toBeGreaterThan(20_000)
})

test('the event stream fallback is at most 2 kB', async () => {
  const { later } = await sizesOf('client.ts')
  expect(later).toBeLessThanOrEqual(2_000)
  expect(later).toBeGreaterThan(1_000)
})

/** Bytes of the React hooks with these names, without those that a bundle leaves out. */
async function hooksSize(...names: string[]) {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${names.join(', ')} } from '../src/react.ts'`,
      resolveDir: new URL('.', import.meta.url).pathname,
    },
    ...{ bundle: true, minify: true, format: 'esm', write: false, external: ['react'] },
  })
  return gzipSync(outputFiles[0]?.contents ?? '').length
}

test('the live React hooks are at most 3.3 kB', async () => {
  // The parts that they share with the client, such as its errors, are counted here too. A quarter is what reads pages again that
  // lack a chain.
  const live = await hooksSize(
    ...['ClientProvider', 'useClient', 'useLive', 'useLiveList', 'useLatest', 'useLiveConnection'],
    ...['useConnectionStatus', 'useConnectionProblem', 'queryOptions'],
  )
  expect(live).toBeLessThanOrEqual(3_300)
  expect(live).toBeGreaterThan(2_000)
})

test('the React hooks of queries are at most 2 kB, and all hooks 4.6 kB', async () => {
  const queries = await hooksSize('ClientProvider', 'useQuery', 'usePages')
  expect(queries).toBeLessThanOrEqual(2_000)
  expect(queries).toBeGreaterThan(1_000)
  expect((await sizesOf('react.ts', ['react'])).atOnce).toBeLessThanOrEqual(4_600)
})

test('sendRoute is at most 3 kB', async () => {
  // A third is the errors and the rule of a subscription, which the client has too.
  const send = await sizesOf('send.ts')
  expect(send.atOnce).toBeLessThanOrEqual(3_000)
  expect(send.atOnce).toBeGreaterThan(2_000)
})

test('the client bundle contains no dependencies', async () => {
  const { metafile } = await build({
    entryPoints: [new URL('../src/client.ts', import.meta.url).pathname],
    ...{ bundle: true, format: 'esm', write: false, metafile: true },
  })
  expect(Object.keys(metafile.inputs).filter((name) => name.includes('node_modules'))).toEqual([])
})

test('a bundle has only the imported operations', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { balances } from './operations/generated/operations.ts'",
      resolveDir: new URL('../src', import.meta.url).pathname,
    },
    ...{ bundle: true, minify: true, format: 'esm', write: false },
  })
  const text = outputFiles[0]?.text ?? ''
  expect(text.match(/(query|mutation|subscription) \w+/g)).toEqual(['query Balances'])
  expect(text.length).toBeLessThanOrEqual(800)
})
