// Prints what CHANGELOG.md says of a release, by its tag: node scripts/releaseNotes.mjs v0.5.0. It fails unless all packages
// have that version and the section has a day, as writeRelease.mjs leaves them.
import { readFileSync } from 'node:fs'
import { folders, main, manifestIn } from './packages.mjs'

const [tag = ''] = process.argv.slice(2)

await main(() => {
  if (!/^v\d+\.\d+\.\d+$/.test(tag)) throw new Error(`A tag of a release is like v0.5.0, and not "${tag}".`)
  const version = tag.slice(1)
  for (const { name, version: own } of folders.map(manifestIn)) {
    if (own !== version) throw new Error(`${name} has the version ${own}, and the tag is ${tag}.`)
  }
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=## )/m)
  const section = sections.find((text) => text.startsWith(`## ${version} (`))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version} (<day>)".`)
  process.stdout.write(`${section.split('\n').slice(1).join('\n').trim()}\n`)
})
