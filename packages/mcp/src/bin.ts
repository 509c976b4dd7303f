#!/usr/bin/env node
import { processIo } from '#kit/cli'
import { runMcp } from './cli.ts'

process.exitCode = await runMcp(process.argv.slice(2), processIo())
