// The figures of runs as JSON, from which scripts/scale.mjs computes docs/scale.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const folder = new URL('./results/', import.meta.url)

function saved(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/** Four digits are more than any of the figures is good for. */
const rounded = (_key, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)

/**
 * Keeps figures in `results/<name>.json`, in the place of those of the same keys, each with the date and the
 * version of Node.
 */
export function saveFigures(name, figures) {
  mkdirSync(folder, { recursive: true })
  const file = new URL(`${name}.json`, folder)
  const date = new Date().toISOString().slice(0, 10)
  const entries = Object.entries(figures).map(([key, values]) => [
    key,
    { date, node: process.versions.node, ...values },
  ])
  const all = { ...saved(file), ...Object.fromEntries(entries) }
  writeFileSync(file, `${JSON.stringify(all, rounded, 2)}\n`)
}
