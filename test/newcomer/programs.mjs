// The pages whose programs need no browser.
import { toolsOf } from './agent.mjs'
import { blocksOf, follow, textOf, write } from './page.mjs'
import { change, emptyCache, folderOf } from './place.mjs'
import { run, start, until } from './processes.mjs'
import { step } from './step.mjs'

/** The commands of docs/agents.md and its configurations start servers that have tools. */
export async function checkAgents() {
  const page = 'docs/agents.md'
  const options = { cwd: folderOf('agent'), env: emptyCache }
  const commands = [...textOf(page).matchAll(/^\| `(npx [^`]*)` \|/gm)]
  for (const [, text] of commands) {
    await step(`${page}: ${text}`, async () => {
      const tools = await toolsOf('sh', ['-c', change(text)], options)
      return `${tools.length} tools`
    })
  }
  for (const { text } of blocksOf(page).filter(({ language }) => language === 'json')) {
    await step(`${page}: the configuration of a desktop client`, async () => {
      const { command, args } = JSON.parse(change(text)).mcpServers.portolan
      const tools = await toolsOf(command, args, options)
      return `${command}, ${tools.length} tools`
    })
  }
}

export const checkEmbedding = () =>
  step('docs/embedding.md', async () => {
    const page = 'docs/embedding.md'
    // That command ends only when it is told to.
    const cwd = await follow(page, { folder: folderOf('embedding'), change, skip: /^node / })
    const { text } = blocksOf(page).findLast(({ language }) => language === 'sh')
    const program = start('sh', ['-c', `exec ${text}`], { cwd })
    const url = await program.line(/^http/)
    await program.stop()
    if (program.code !== 0) throw new Error(`it ended with ${program.code}: ${program.errors}`)
    return url
  })

export const checkTesting = () =>
  step('docs/testing.md', async () => {
    await follow('docs/testing.md', { folder: folderOf('testing'), change })
  })

/** The programs of a page that import nothing but these modules. */
const programsOf = (page, modules) =>
  blocksOf(page).filter(({ language, file, text }) => {
    const imports = [...text.matchAll(/ from '([^']+)'/g)].map(([, name]) => name)
    return language === 'ts' && !file && imports.every((name) => modules.test(name))
  })

/** The programs of a page that import nothing but these modules write a line, or end. */
export async function runPrograms(page, modules, cwd) {
  for (const [index, { text }] of programsOf(page, modules).entries()) {
    await step(`${page}: program ${index + 1}`, async () => {
      const file = `${page.replaceAll('/', '-')}-${index}.mjs`
      write(cwd, file, change(text))
      const program = start(process.execPath, [file], { cwd })
      await until('a line, or the end', () => program.lines.length > 0 || program.code !== undefined)
      const [line] = program.lines
      const isSound = line === undefined ? program.code === 0 : line !== 'undefined'
      await program.stop()
      if (!isSound) throw new Error(`${line} ${program.errors}`)
      return line
    })
  }
}

/** The programs of the READMEs of the gateway and of the client. */
export async function checkPrograms() {
  const cwd = folderOf('programs')
  const archives = ['portolan', 'portolan-client'].map((name) => `../portolan/dist/archives/${name}.tgz`)
  await run('npm', ['install', ...archives], { cwd })
  const parts = 'operations|errors|amounts|display|balance-changes'
  const pages = {
    'README.md': /^portolan(\/sandbox)?$/,
    'packages/client/README.md': new RegExp(`^@portolan/client(/(${parts}))?$`),
  }
  for (const [page, modules] of Object.entries(pages)) await runPrograms(page, modules, cwd)
}
