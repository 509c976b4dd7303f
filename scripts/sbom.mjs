// npm run sbom: prints what is installed where the gateway runs, in the CycloneDX format. `npm sbom --omit dev`
// also leaves out what development needs too, such as zod. So this takes what only development needs out of
// the full list.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--loglevel', 'error']
const bill = JSON.parse(
  execFileSync('npm', args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  }),
)

const isOnlyForDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
const components = bill.components.filter((component) => !isOnlyForDevelopment(component))
const kept = new Set([bill.metadata.component, ...components].map((one) => one['bom-ref']))
const dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }))
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`)
