// biome-ignore lint/performance/noBarrelFile: the tests of packages, which stand alone, use the same
export { runs } from '../../packages/support/property.ts'
