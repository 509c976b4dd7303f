// biome-ignore lint/performance/noBarrelFile: the name by which users of this package know its parts
export { type HooksCliIo, runHooks } from './cli.ts'
export { type Hook, type HooksConfig, readConfig } from './config.ts'
export { type FollowedDocument, readFollowed } from './followed.ts'
export type { HooksIo } from './io.ts'
export { createPost } from './post/post.ts'
export { type HookEnd, type RunOptions, runHook } from './runHook.ts'
export { type HookStore, openStore } from './store.ts'
export { type StreamOptions, stream } from './stream.ts'
