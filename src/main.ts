#!/usr/bin/env node
import { pino } from 'pino'
import { runCli } from './cli.ts'

/** Resolves at the first SIGINT or SIGTERM. A second one exits at once. */
const stopped = () =>
  new Promise<void>((resolve) => {
    let isStopping = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (isStopping) process.exit(1)
        isStopping = true
        resolve()
      })
    }
  })

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  log: pino.destination(2),
  isTerminal: process.stderr.isTTY,
  stopped,
})
