// biome-ignore lint/performance/noBarrelFile: the tests of packages, which stand alone, use the same
export { apiReport } from '../../packages/support/apiReport.ts'
