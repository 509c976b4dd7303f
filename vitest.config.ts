import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { leftOut } from './scripts/leftOut.mjs'
import { countEntries } from './test/weight/countEntries.ts'

/** The packages of this repository are read as they were written, not as they were built. */
const conditions = ['@portolan/source', 'node', 'module-sync', 'development']

/** Tests whose claims hold in every world. They also run where the services are as odd as real ones can be. */
const inBothWorlds = [
  'test/contract/graphql/node.test.ts',
  'test/contract/schema/search.test.ts',
  'test/contract/schema/indexer/{account,block,chain,evm,nft}.test.ts',
  'test/contract/schema/router/refusal.test.ts',
  'test/contract/schema/chain/chain.test.ts',
  'test/contract/schema/router/{asset,assetOrigin,assetSearch,balance,nftTransfer}.test.ts',
  'test/contract/schema/router/{route,transfer,transferMessages,transfersSubscription}.test.ts',
  'test/schema/indexer/{evmLinks,moved,otherIndexers}.test.ts',
  'test/schema/router/catalog.test.ts',
]

export default defineConfig({
  // graphql 16 ships CommonJS and ESM builds side by side; without this alias our imports and our
  // libraries' imports load different copies, and graphql refuses types of the other copy.
  resolve: { alias: { graphql: 'graphql/index.js' }, conditions },
  ssr: { resolve: { conditions } },
  test: {
    exclude: ['**/node_modules/**', 'test/clients/**'],
    setupFiles: ['test/support/seed.ts'],
    // On a machine with six times the load of its cores, a test of ten seconds takes a minute and more.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One more than there are cores, since many tests wait for processes. By default it is one less.
    maxWorkers: availableParallelism() + 1,
    // Tests of one file that are marked as concurrent wait for programs and clocks, all of them at once.
    maxConcurrency: 12,
    // The files of a worker share their modules, so that each worker loads the schema once. This is
    // safe because no module of ours holds state.
    isolate: false,
    // Some tests read thousands of pages: report only what is unusually slow.
    slowTestThreshold: 15_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts', 'packages/{kit,words,sandbox,mcp}/test/**/*.test.ts'],
          exclude: ['test/weight/**', 'test/clients/**', ...leftOut],
          provide: { isOdd: false },
        },
      },
      { extends: true, test: { name: 'slow', include: leftOut, provide: { isOdd: false } } },
      { extends: true, test: { name: 'odd', include: inBothWorlds, provide: { isOdd: true } } },
      {
        extends: true,
        plugins: [countEntries()],
        test: { name: 'weight', include: ['test/weight/*.test.ts'] },
      },
    ],
  },
})
