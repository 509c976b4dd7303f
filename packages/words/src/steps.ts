// biome-ignore lint/performance/noBarrelFile: the name by which users of this package know it
export { allSteps, type Steps } from '#kit/steps'
