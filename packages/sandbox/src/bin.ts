#!/usr/bin/env node
import { processIo } from '#kit/cli'
import { runSandbox } from './cli.ts'

process.exitCode = await runSandbox(process.argv.slice(2), processIo())
