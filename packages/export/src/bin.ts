#!/usr/bin/env node
import { runExport } from './cli.ts'

// Nobody reads any more. The file matters, not what is said about it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
process.exitCode = await runExport(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  signal: stop.signal,
  now: Date.now,
  wait: (milliseconds) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        stop.signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      stop.signal.addEventListener('abort', done)
    }),
})
