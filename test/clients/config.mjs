// Puts the client package into node_modules of this folder, as npm installs it.
import { cpSync, rmSync } from 'node:fs'

const source = new URL('../../packages/client/', import.meta.url)
const target = 'node_modules/@portolan/client'
rmSync(target, { recursive: true, force: true })
for (const part of ['package.json', 'dist']) cpSync(new URL(part, source), `${target}/${part}`, { recursive: true })
