// Builds the explorer into dist/explorer with esbuild alone, so that `npm start` can do it in a second: scripts of pages,
// the style sheet and the icon under names of their contents, index.html with the script of early queries, and all of
// them compressed.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { importTypeScript } from './importTypeScript.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = fileURLToPath(new URL('../../../dist/explorer/', import.meta.url))

/** The modules that stand for packages. The hooks of the client are written for React. */
const modules = {
  react: '../node_modules/preact/compat/dist/compat.mjs',
  '@portolan/client': '../../packages/client/src/client.ts',
  '@portolan/client/errors': '../../packages/client/src/portolanError.ts',
  '@portolan/client/follow': '../../packages/client/src/follow.ts',
  '@portolan/client/react': '../../packages/client/src/react.ts',
}

const standIns = {
  name: 'stand-ins',
  setup({ onResolve }) {
    onResolve({ filter: /^(react|@portolan\/client.*)$/ }, ({ path }) => ({
      path: join(root, modules[path]),
    }))
    onResolve({ filter: /^@portolan\/words\/modules$/ }, () => ({
      path: join(root, '../../packages/words/src/addresses/modules.ts'),
    }))
    onResolve({ filter: /^@portolan\/kit\// }, ({ path }) => ({
      path: `${join(root, path.replace('@portolan/kit', '../../packages/kit/src'))}.ts`,
    }))
  },
}

/**
 * What every page needs is one script: each module that is loaded later imports the frame of the pages first. Without that,
 * modules that the same pages share are a script each, and a phone waits for more of them than a browser asks for at once.
 */
const oneFrame = {
  name: 'one frame',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /./ }, async ({ path, kind, pluginData, ...place }) => {
      if (kind !== 'dynamic-import' || pluginData?.isResolved) return
      const found = await resolve(path, { kind, ...place, pluginData: { isResolved: true } })
      return { ...found, pluginData: { isLater: true } }
    })
    onLoad({ filter: /\.tsx?$/ }, ({ path, pluginData }) => {
      if (!pluginData?.isLater) return
      const frame = JSON.stringify(join(root, 'src/app/App.tsx'))
      return { contents: `import ${frame}\n${readFileSync(path, 'utf8')}`, loader: extname(path).slice(1) }
    })
  },
}

// What the sources of packages import is looked up here too, where nothing else is installed.
const nodePaths = [join(root, '../node_modules')]
const common = { absWorkingDir: root, bundle: true, format: 'esm', logLevel: 'warning', nodePaths }

rmSync(folder, { recursive: true, force: true })
const { metafile } = await build({
  ...common,
  entryPoints: ['src/main.tsx', 'src/style.css', 'src/icon.svg'],
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  outdir: folder,
  plugins: [standIns, oneFrame],
  loader: { '.svg': 'copy' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  target: 'es2022',
  splitting: true,
  minify: true,
  metafile: true,
})

/** The built files by the sources that they begin with, and the files that each imports at once. */
const files = new Map(
  Object.entries(metafile.outputs).map(([path, { entryPoint, inputs, imports }]) => [
    entryPoint ?? Object.keys(inputs)[0],
    {
      name: nameOf(path),
      imports: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => nameOf(path)),
    },
  ]),
)

function nameOf(path) {
  return path.slice(path.indexOf('assets/'))
}

// The documents and the paths of pages are in TypeScript.
const { earlyQueries } = await importTypeScript(join(root, 'scripts/earlyQueries.ts'))
const { script, manifest } = earlyQueries(files)

const page = readFileSync(join(root, 'index.html'), 'utf8')
  .replace(/\/(src\/[\w.]+)/g, (_, source) => `/${files.get(source).name}`)
  .replace('<!--early-->', () => `<script>${script}</script>`)
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'index.html'), page)
writeFileSync(join(folder, 'site.json'), JSON.stringify(manifest))

// The best quality makes the files a fortieth smaller, in ten times the time.
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.(js|css|svg|html)$/.test(name)) continue
  const bytes = readFileSync(join(folder, name))
  writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }))
}
