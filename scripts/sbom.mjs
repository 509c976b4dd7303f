// npm run sbom: prints what is installed in the image, in the CycloneDX format. `npm sbom --omit dev` also leaves out
// what development needs too, such as zod. So this takes what only development needs out of the full list, and
// adds the optional libraries of the image.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--loglevel', 'error']
const billOf = (folder) =>
  JSON.parse(
    execFileSync('npm', args, {
      cwd: fileURLToPath(new URL(folder, import.meta.url)),
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      shell: process.platform === 'win32',
    }),
  )

const isOnlyForDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')

const bill = billOf('..')
const optional = billOf('../ops/image')
const byRef = (entries) => Object.fromEntries(entries.map((entry) => [entry['bom-ref'], entry]))
const components = Object.values({
  ...byRef(optional.components),
  ...byRef(bill.components.filter((component) => !isOnlyForDevelopment(component))),
})
const root = bill.metadata.component['bom-ref']
const needs = new Map()
const known = new Set([root, ...components.map((one) => one['bom-ref'])])
for (const { ref, dependsOn = [] } of [...bill.dependencies, ...optional.dependencies]) {
  // The image needs its optional libraries for the gateway.
  const subject = ref === optional.metadata.component['bom-ref'] ? root : ref
  if (!known.has(subject)) continue
  const all = needs.get(subject) ?? new Set()
  for (const one of dependsOn) if (known.has(one)) all.add(one)
  needs.set(subject, all)
}
const dependencies = [...needs].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn] }))
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`)
