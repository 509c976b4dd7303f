// Writes what is committed in `src/generated`: the types of the documents, without the modules that the preset puts beside them,
// and how pages are loaded.
import { copyFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { importTypeScript } from './importTypeScript.mjs'

copyFileSync('node_modules/.generated/client/graphql.ts', 'src/generated/graphql.ts')

const { lazyPagesText } = await importTypeScript(fileURLToPath(new URL('pageSources.ts', import.meta.url)))
writeFileSync('src/generated/lazyPages.ts', lazyPagesText())
