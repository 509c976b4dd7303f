// The packages beside the gateway and its client, each by its README, in a folder that has nothing else.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { toolsOf } from './agent.mjs'
import { blocksOf, follow, write } from './page.mjs'
import { archives, change, clone, emptyCache, folderOf, freePort, home } from './place.mjs'
import { run, start } from './processes.mjs'
import { runPrograms } from './programs.mjs'
import { step } from './step.mjs'

const wordsPage = 'packages/words/README.md'
const sandboxPage = 'packages/sandbox/README.md'
const mcpPage = 'packages/mcp/README.md'

/** Packs all of them. Resolves to whether that succeeded. */
export const packLibraries = () =>
  step('the sandbox, the tools for agents and the programs beside the gateway are packed', async () => {
    for (const name of ['sandbox', 'mcp', 'export', 'hooks']) {
      const lines = await run('npm', ['pack', join(clone, 'packages', name)], { cwd: home })
      archives[name] = join(home, lines.at(-1))
    }
    return [archives.sandbox, archives.mcp, archives.export, archives.hooks].join(' ')
  })

/** The first program, over a node that answers with one transaction. */
export async function checkWords() {
  const cwd = folderOf('words')
  await step(`${wordsPage}: the first program`, async () => {
    await run('npm', ['install', archives.words], { cwd })
    const { text } = blocksOf(wordsPage).find(({ language }) => language === 'js')
    write(cwd, 'program.mjs', text)
    const address = 'cosmos1syavy2npfyt9tcncdtsdzf7kny9lh777pahuux'
    const send = { '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: address, to_address: address }
    const amount = [{ denom: 'uinit', amount: '5000000' }]
    const transaction = { tx: { body: { messages: [{ ...send, amount }] } }, tx_response: { code: 0, events: [] } }
    const node = createServer((_, response) => response.end(JSON.stringify(transaction)))
    await new Promise((resolve) => node.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${node.address().port}`
      const [line] = await run('node', ['program.mjs', url, 'AB'], { cwd })
      if (!line.startsWith('Sent 5 INIT to cosmos1')) throw new Error(line)
      return line
    } finally {
      node.close()
    }
  })
}

/** The first program, the tests, and the command with its control. */
export async function checkSandbox() {
  const cwd = folderOf('sandbox')
  // Its command ends only when it is told to.
  const skip = /^npx @portolan|^curl/
  await step(`${sandboxPage}: installed, and its tests`, async () => {
    await follow(sandboxPage, { folder: cwd, change, skip })
  })
  await runPrograms(sandboxPage, /^@portolan\/sandbox$/, cwd)
  const commands = blocksOf(sandboxPage).filter(({ language, text }) => language === 'sh' && skip.test(text))
  await step(`${sandboxPage}: the command, and its control`, async () => {
    const port = await freePort()
    const [begin, control] = commands.map(({ text }) =>
      change(text)
        .replace('4100', port)
        .replace('4104', port + 4),
    )
    const options = { cwd: folderOf('sandbox-command'), env: emptyCache }
    const program = start('sh', ['-c', begin], options)
    await program.line(/^control +http/)
    const [state] = await run('sh', ['-c', control], options)
    await program.stop()
    if (JSON.parse(state).faults.length !== 1) throw new Error(state)
    return program.lines[0]
  })
}

/** The configuration of a desktop client, and the program. They read a gateway that runs. */
export async function checkMcp() {
  const cwd = folderOf('mcp')
  const { text } = blocksOf(mcpPage)[0]
  await step(`${mcpPage}: the configuration of a desktop client`, async () => {
    const { command, args } = JSON.parse(change(text)).mcpServers.portolan
    const own = args.flatMap((word) => (word === '@portolan/mcp' ? ['-p', archives.mcp, 'portolan-mcp'] : [word]))
    const options = { cwd: folderOf('mcp-command'), env: emptyCache }
    const tools = await toolsOf(command, own, options)
    const withQuery = await toolsOf(command, [...own, '--query'], options)
    if (!withQuery.includes('graphql_query')) throw new Error('no tool for queries')
    return `${tools.length} tools, ${withQuery.length} with --query`
  })
  await step(`${mcpPage}: installed`, async () => {
    await follow(mcpPage, { folder: cwd, change })
  })
  await runPrograms(mcpPage, /^@portolan\/mcp$/, cwd)
}
