// biome-ignore lint/performance/noBarrelFile: the name by which users of this package know the sandbox
export {
  type Fault,
  type Faults,
  type Quirks,
  type Sandbox,
  type SandboxChain,
  type SandboxFeeAsset,
  type SandboxIndexer,
  type SandboxOptions,
  startSandbox,
  type Vm,
} from '#sandbox/sandbox'
