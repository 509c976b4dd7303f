import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { earlyQueries } from './scripts/earlyQueries.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export default defineConfig({
  plugins: [earlyQueries()],
  resolve: {
    alias: [
      // The hooks of the client are written for React.
      { find: /^react$/, replacement: path('node_modules/preact/compat/dist/compat.mjs') },
      { find: /^@portolan\/client$/, replacement: path('../client/src/client.ts') },
      { find: '@portolan/client/errors', replacement: path('../client/src/portolanError.ts') },
      { find: '@portolan/client/follow', replacement: path('../client/src/follow.ts') },
      { find: '@portolan/client/react', replacement: path('../client/src/react.ts') },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path('../../dist/explorer'),
    emptyOutDir: true,
    target: 'es2022',
    // A data URL would not be allowed by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
