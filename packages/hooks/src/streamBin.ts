#!/usr/bin/env node
import { runStream } from './streamCli.ts'
import { systemIo } from './systemIo.ts'

const { log, signal } = systemIo()
process.exitCode = await runStream(process.argv.slice(2), { env: process.env, output: process.stdout, log, signal })
