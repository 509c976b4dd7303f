// The programs beside the gateway, each by its README, over a gateway that runs.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { blocksOf, write } from './page.mjs'
import { change, emptyCache, folderOf } from './place.mjs'
import { run, start } from './processes.mjs'
import { runPrograms } from './programs.mjs'
import { step } from './step.mjs'

const exportPage = 'apps/export/README.md'
const hooksPage = 'apps/hooks/README.md'

const blockOf = (page, language, part) =>
  blocksOf(page).find((block) => block.language === language && block.text.includes(part)).text

/** The command, over a span that is short, and the program. */
export async function checkExport() {
  const cwd = folderOf('export')
  await step(`${exportPage}: the command`, async () => {
    const command = blockOf(exportPage, 'sh', 'npx').replace(
      '--since 2026-01-01',
      '--since 2026-11-20 --until 2026-11-20T00:30:00Z',
    )
    await run('sh', ['-euc', change(command)], { cwd, env: emptyCache })
    const [head, ...rows] = readFileSync(join(cwd, '2026.csv'), 'utf8').trimEnd().split('\r\n')
    if (!head.startsWith('time,') || rows.length < 5) throw new Error(`${head}, ${rows.length} rows`)
    return `${rows.length} rows`
  })
  await run('sh', ['-c', blockOf(exportPage, 'sh', 'npm install')], { cwd })
  await runPrograms(exportPage, /^@portolan\/(client|export)$/, cwd)
}

/** A hook that sends to a receiver of this machine, and the stream. */
export async function checkHooks() {
  const cwd = folderOf('hooks')
  const options = { cwd, env: { ...emptyCache, TREASURY_SECRET: `whsec_${'A'.repeat(32)}` } }
  write(cwd, 'activity.graphql', blockOf(hooksPage, 'graphql', 'activity'))
  await step(`${hooksPage}: the stream`, async () => {
    // Its reader is this program.
    const [command] = blockOf(hooksPage, 'sh', 'portolan-stream').split(' | ')
    const program = start('sh', ['-c', change(command)], options)
    const line = await program.line(/"type":"activity/)
    await program.stop()
    return line.slice(0, 80)
  })
  await step(`${hooksPage}: a hook`, async () => {
    const receiver = createServer((request, response) => request.resume() && response.end())
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const config = JSON.parse(change(blockOf(hooksPage, 'json', 'hooks')))
    config.allowPrivate = true
    config.hooks[0].url = `http://127.0.0.1:${receiver.address().port}/`
    write(cwd, 'hooks.json', JSON.stringify(config))
    const command = blockOf(hooksPage, 'sh', 'portolan-hooks').split('\n').at(-2)
    const program = start('sh', ['-c', change(command)], options)
    const [request] = await once(receiver, 'request', { signal: AbortSignal.timeout(120_000) })
    await program.stop()
    receiver.close()
    return `${request.headers['webhook-id']} ${request.headers['webhook-signature'].slice(0, 12)}`
  })
}
