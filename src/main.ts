#!/usr/bin/env node
import * as nodeModule from 'node:module'

// Old versions of Node must be able to parse and run this file, so it imports nothing of ours before the check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 20 || (major === 20 && minor >= 19)) {
  // Node 22 and later keep compiled code between runs. A start takes an eighth less CPU with it.
  const { enableCompileCache } = nodeModule as { enableCompileCache?: () => unknown }
  enableCompileCache?.()
  import('./app/cli/start.ts').then(({ start }) => start())
} else {
  process.stderr.write(`Portolan needs Node 20.19 or later. This is Node ${process.versions.node}.\n`)
  process.exitCode = 2
}
