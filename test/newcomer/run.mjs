// Does what the pages tell a newcomer to do, in empty folders: the commands and files are read from the pages, and run as
// they stand, but for ports, example addresses and spans. Packages come from npm, and archives from the clone.
// The names of guides as arguments: only these, such as `npm run newcomer vue svelte`.
import { tmpdir } from 'node:os'
import { checkFirstCommands, checkLinks, makeArchives } from './archive.mjs'
import { checkExport, checkHooks } from './beside.mjs'
import { checkTrustedDocuments } from './documents.mjs'
import { checkGuides, guides } from './guides.mjs'
import { checkMcp, checkSandbox, checkWords } from './libraries.mjs'
import { blocksOf } from './page.mjs'
import { clone, firstAnswer, home, makeClone, port, startByNpx } from './place.mjs'
import { run, start, stopAll } from './processes.mjs'
import { checkAgents, checkEmbedding, checkPrograms, checkTesting } from './programs.mjs'
import { checkSign } from './sign.mjs'
import { step } from './step.mjs'

const only = process.argv.slice(2)
const known = [...guides, 'sign']
const unknown = only.filter((name) => !known.includes(name))
if (unknown.length > 0) throw new Error(`No guide that is followed: ${unknown.join(', ')}. Known: ${known.join(', ')}`)

async function check() {
  await step('a clone', makeClone)
  if (only.length > 0) {
    if (!(await makeArchives())) return
    const gateway = startByNpx()
    if (!(await step('docs/index.md: the gateway by npx', () => firstAnswer(gateway)))) return
    if (only.includes('sign')) await checkSign()
    const ofFrontends = only.filter((name) => guides.includes(name))
    if (ofFrontends.length > 0) await checkGuides(gateway, ofFrontends)
    return
  }
  await step('README.md: npm start', async () => {
    const { text } = blocksOf('README.md').find(({ language }) => language === 'sh')
    const [command] = text.split('\n')
    const gateway = start('sh', ['-c', command], { cwd: clone, env: { PORT: String(port) } })
    const note = await firstAnswer(gateway)
    await gateway.stop()
    return note
  })
  if (!(await makeArchives())) return
  await checkLinks()
  await checkFirstCommands()
  await checkWords()
  await checkSandbox()
  let gateway
  const isServed = await step('docs/index.md: the gateway by npx, with an empty cache', () => {
    gateway = startByNpx()
    return firstAnswer(gateway)
  })
  await checkEmbedding()
  await checkTesting()
  if (!isServed) return
  await checkAgents()
  await checkMcp()
  await checkExport()
  await checkHooks()
  await checkPrograms()
  await checkTrustedDocuments()
  await checkSign()
  await checkGuides(gateway)
}

async function end() {
  await stopAll()
  // With the packages of four projects, rmSync takes minutes.
  await run('rm', ['-rf', home], { cwd: tmpdir() })
}

const limit = setTimeout(async () => {
  process.stdout.write('FAIL  not done within twenty minutes\n')
  await end()
  process.exit(1)
}, 1_200_000)
process.once('SIGINT', async () => {
  await end()
  process.exit(130)
})
try {
  await check()
} finally {
  clearTimeout(limit)
  await end()
}
