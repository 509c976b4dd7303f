#!/usr/bin/env node
import { runStream } from './streamCli.ts'
import { systemIo } from './systemIo.ts'

process.exitCode = await runStream(process.argv.slice(2), { ...systemIo(), output: process.stdout })
