#!/usr/bin/env node
import { processIo } from '#kit/cli'
import { wait } from '#kit/clock'
import { runExport } from './cli.ts'

// Nobody reads any more. The file matters, not what is said about it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const io = processIo()
process.exitCode = await runExport(process.argv.slice(2), {
  ...io,
  isTerminal: process.stderr.isTTY === true,
  now: Date.now,
  wait: (milliseconds) => wait(milliseconds, io.signal),
})
