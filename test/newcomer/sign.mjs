// The guide from a quote to a signature: its program, over nodes that check each signature.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { follow } from './page.mjs'
import { besideClone, change, clone, port } from './place.mjs'
import { run } from './processes.mjs'
import { step } from './step.mjs'

const page = 'docs/guides/sign.md'

/** Follows the page up to its last command, which is for real nodes, and runs the test of the example in its place. */
export async function checkSign() {
  let cwd
  const isReady = await step(`${page}: a new project`, async () => {
    cwd = await follow(page, { folder: besideClone('sign'), change, skip: /^(export|node) / })
  })
  if (!isReady) return
  await step(`${page}: the program over nodes that check each signature`, async () => {
    const example = join(clone, 'examples/send')
    for (const file of ['nodes.mjs', 'test.mjs']) cpSync(join(example, file), join(cwd, file))
    const { devDependencies } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'))
    const packages = Object.entries(devDependencies).map(([name, version]) => `${name}@${version}`)
    await run('npm', ['install', '--save-exact', '--save-dev', ...packages], { cwd })
    const lines = await run('node', ['test.mjs', `http://127.0.0.1:${port}/graphql`], { cwd })
    return `${lines.length} checks`
  })
}
