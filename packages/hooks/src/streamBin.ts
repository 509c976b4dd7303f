#!/usr/bin/env node
import { runStream } from './streamCli.ts'
import { systemIo } from './systemIo.ts'

const io = { ...systemIo(), env: process.env, output: process.stdout }
process.exitCode = await runStream(process.argv.slice(2), io)
