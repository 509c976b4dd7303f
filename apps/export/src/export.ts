// biome-ignore lint/performance/noBarrelFile: the name by which users of this package know its parts
export { type ExportCliIo, runExport } from './cli.ts'
export { exportFile } from './exportFile.ts'
export type { ExportIo } from './io.ts'
export type { ExportOptions } from './options.ts'
export { ChainsUnavailable } from './readPages.ts'
export type { State } from './state.ts'
