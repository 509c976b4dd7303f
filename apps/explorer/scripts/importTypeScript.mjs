import { build } from 'esbuild'

/** Imports a module of TypeScript. It may import others, and nothing of Node.js but its own modules. */
export async function importTypeScript(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'warning',
  })
  const [{ text }] = outputFiles
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`)
}
