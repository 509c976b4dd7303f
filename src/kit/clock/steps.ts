export type { Steps } from '#kit/steps'
