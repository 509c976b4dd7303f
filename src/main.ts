#!/usr/bin/env node
// Old versions of Node must be able to parse and run this file, so it imports nothing before the check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 20 || (major === 20 && minor >= 19)) {
  import('./app/cli/start.ts').then(({ start }) => start())
} else {
  process.stderr.write(`Portolan needs Node 20.19 or later. This is Node ${process.versions.node}.\n`)
  process.exitCode = 2
}
