// The packages beside the gateway and its client, each by its README, in a folder that has nothing else.
import { createServer } from 'node:http'
import { toolsOf } from './agent.mjs'
import { blocksOf, follow, textOf, write } from './page.mjs'
import { change, emptyCache, folderOf, freePort } from './place.mjs'
import { run, start } from './processes.mjs'
import { runPrograms } from './programs.mjs'
import { step } from './step.mjs'

const wordsPage = 'packages/words/README.md'
const sandboxPage = 'packages/sandbox/README.md'
const mcpPage = 'packages/mcp/README.md'

/** Its installation, its first program, and the next one over a node that answers with the same transaction. */
export async function checkWords() {
  const cwd = folderOf('words')
  const [first, second] = blocksOf(wordsPage).filter(({ language }) => language === 'js')
  const [, printed] = /^```js\n.*?^```\n\n```\n(.*?)\n```/ms.exec(textOf(wordsPage))
  await step(`${wordsPage}: installed, and the first program`, async () => {
    await follow(wordsPage, { folder: cwd, change })
    write(cwd, 'program.mjs', first.text)
    const lines = await run('node', ['program.mjs'], { cwd })
    if (lines.join('\n') !== printed) throw new Error(lines.join('\n'))
    return lines[0]
  })
  await step(`${wordsPage}: the program over a node`, async () => {
    write(cwd, 'node.mjs', second.text)
    const address = 'cosmos1syavy2npfyt9tcncdtsdzf7kny9lh777pahuux'
    const send = { '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: address, to_address: address }
    const amount = [{ denom: 'uinit', amount: '5000000' }]
    const transaction = { tx: { body: { messages: [{ ...send, amount }] } }, tx_response: { code: 0, events: [] } }
    const node = createServer((_, response) => response.end(JSON.stringify(transaction)))
    await new Promise((resolve) => node.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${node.address().port}`
      const [line] = await run('node', ['node.mjs', url, 'AB'], { cwd })
      if (!line.startsWith('Sent 5')) throw new Error(line)
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
  const skip = /^npx .*tgz|^curl/
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
    const options = { cwd: folderOf('mcp-command'), env: emptyCache }
    const tools = await toolsOf(command, args, options)
    const withQuery = await toolsOf(command, [...args, '--query'], options)
    if (!withQuery.includes('graphql_query')) throw new Error('no tool for queries')
    return `${tools.length} tools, ${withQuery.length} with --query`
  })
  await step(`${mcpPage}: installed`, async () => {
    await follow(mcpPage, { folder: cwd, change })
  })
  await runPrograms(mcpPage, /^@portolan\/mcp$/, cwd)
}
