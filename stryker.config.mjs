/** Mutation testing: changes the code in small ways, and expects a test to fail for each change. */
export default {
  mutate: [
    'src/engine/pagination/**/*.ts',
    'src/engine/watch/**/*.ts',
    'src/engine/upstream/**/*.ts',
    'src/engine/wire/**/*.ts',
  ],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  // Stryker rewrites tsconfig.json with the API of TypeScript, which TypeScript 7 does not have.
  tsconfigFile: 'none',
  // Most strings are messages and names, whose tests are those of the graph.
  mutator: { excludedMutations: ['StringLiteral'] },
  // Fails .ci/full where fewer of its sample are found.
  thresholds: { high: 90, low: 80, break: 75 },
  concurrency: 2,
  timeoutMS: 5_000,
  // Later runs test only what changed since.
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  // The packages stay: tsconfig.json names them, and tests read the sandbox.
  ignorePatterns: ['/dist', '/bench', '/reports', '/test/clients', '/apps/explorer', '/apps/docs', '/examples'],
  reporters: ['progress-append-only', 'clear-text', 'html'],
  htmlReporter: { fileName: 'reports/mutation/index.html' },
  clearTextReporter: { logTests: false, allowEmojis: false },
}
