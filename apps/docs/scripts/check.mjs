// Checks the types of all programs in TypeScript on the pages, each as a module of its own. Those of a page that have
// file names can import each other. `stubs` has what readers have in their projects, such as their documents. Libraries are
// those of the client package. The gateway has to be compiled.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const client = join(root, 'packages/client')
// Modules are looked up from here: first those of the client package, then those of the gateway.
const folder = join(client, 'node_modules/.pages')

const files = readdirSync(join(root, 'docs'), { recursive: true })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name))
const programs = ['README.md', 'packages/client/README.md', ...files].flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const page = file.replace(/[^a-z]+/gi, '-').toLowerCase()
  return [...text.matchAll(/^```tsx?(?: (\S+))?\n(.*?)^```/gms)].map(([, name, program], index) => ({
    page,
    name: `${page}/${name ? parse(name).name : index + 1}.tsx`,
    program,
  }))
})

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const stubs = fileURLToPath(new URL('../stubs', import.meta.url))
cpSync(join(stubs, 'modules.d.ts'), join(folder, 'modules.d.ts'))
cpSync(join(stubs, 'gql'), join(folder, 'gql'), { recursive: true })
for (const { page, name, program } of programs) {
  cpSync(join(stubs, 'gql'), join(folder, page, 'gql'), { recursive: true })
  // A program without imports has its own names too.
  writeFileSync(join(folder, name), `${program}\nexport {}\n`)
}
const exported = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8')).exports
const clientPaths = Object.entries(exported).flatMap(([name, target]) =>
  target.types
    ? [
        [
          join('@portolan/client', name),
          [join(client, target.types.replace('./dist/', './src/').replace('.d.ts', '.ts'))],
        ],
      ]
    : [],
)
const compilerOptions = {
  ...{ target: 'es2022', lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'] },
  ...{ module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx', types: ['node'] },
  ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
  typeRoots: [join(root, 'packages/node_modules/@types')],
  paths: {
    ...Object.fromEntries(clientPaths),
    // New projects of Next.js import from their own folder so.
    '@/gql/*': [join(folder, 'gql/*')],
    portolan: [join(root, 'dist/gateway.d.ts')],
    'portolan/testing': [join(root, 'dist/testing.d.ts')],
    'portolan/sandbox': [join(root, 'packages/sandbox/dist/sandbox.d.ts')],
  },
}
const names = programs.map(({ name }) => name)
const config = { compilerOptions, files: ['modules.d.ts', ...names] }
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' })
if (programs.length === 0 || status !== 0) process.exit(1)
process.stdout.write(`${programs.length} programs of the pages have correct types.\n`)
