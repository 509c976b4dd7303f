import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Bytes of an entry with all that it imports, minified and compressed. */
async function sizeOf(entry: string, external: string[] = []): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [new URL(`../src/${entry}`, import.meta.url).pathname],
    ...{ bundle: true, minify: true, format: 'esm', write: false, external },
  })
  return gzipSync(outputFiles[0]?.contents ?? '').length
}

test('the client takes at most 5.5 kB, of which at most 1.5 kB are the protocol of its socket', async () => {
  const client = await sizeOf('client.ts')
  const socket = await sizeOf('socket.ts')
  expect(socket).toBeLessThanOrEqual(1_500)
  expect(client).toBeLessThanOrEqual(5_500)
})

test('the hooks take at most 2.5 kB beside the client', async () => {
  // The parts that they share with the client, such as its errors, are counted here too.
  expect(await sizeOf('react.ts', ['react'])).toBeLessThanOrEqual(2_500)
})

test('nothing of graphql is loaded at run time', async () => {
  const { metafile } = await build({
    entryPoints: [new URL('../src/client.ts', import.meta.url).pathname],
    ...{ bundle: true, format: 'esm', write: false, metafile: true },
  })
  expect(Object.keys(metafile.inputs).filter((name) => name.includes('node_modules'))).toEqual([])
})

test('a bundle has only the operations that it imports', async () => {
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
