// The introspection as a file, for tools that read no modules.
import { writeFileSync } from 'node:fs'
import { introspection } from '../dist/config/introspection.js'

const file = new URL('../dist/introspection.json', import.meta.url)
writeFileSync(file, JSON.stringify(introspection))
