#!/usr/bin/env node
import { runHooks } from './cli.ts'
import { systemIo } from './systemIo.ts'

process.exitCode = await runHooks(process.argv.slice(2), systemIo())
