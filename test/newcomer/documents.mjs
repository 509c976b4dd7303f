// Trusted documents, as the newest builds of clients write them, and as these clients ask for them.
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { write } from './page.mjs'
import { clone, folderOf, freePort, startByNpx } from './place.mjs'
import { run, until } from './processes.mjs'
import { step } from './step.mjs'

/** The lists that the builds write. */
const lists = ['gql/persisted-documents.json', 'md5/persisted-documents.json', 'relay.json', 'apollo.json']

/** The builds of GraphQL codegen, Relay and Apollo list a document, and a gateway that runs no other one has it for each client. */
export async function checkTrustedDocuments() {
  const cwd = folderOf('documents')
  const isBuilt = await step('trusted documents: builds of codegen, Relay and Apollo list them', async () => {
    cpSync(fileURLToPath(new URL('documents', import.meta.url)), cwd, { recursive: true })
    cpSync(join(clone, 'schema.graphql'), join(cwd, 'schema.graphql'))
    await run('npm', ['install'], { cwd })
    for (const folder of ['gql', 'md5', 'relay']) mkdirSync(join(cwd, 'built', folder), { recursive: true })
    // The compiler of Relay adds to a list.
    write(cwd, 'built/relay.json', '{}')
    await run('npm', ['run', 'build'], { cwd })
    return `${lists.length} lists`
  })
  if (!isBuilt) return
  await step('trusted documents: each client gets its own', async () => {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const gateway = startByNpx({
      PORT: String(port),
      TRUSTED_DOCUMENTS: lists.map((list) => join(cwd, 'built', list)).join(','),
      TRUSTED_DOCUMENTS_ONLY: 'true',
    })
    await until('the gateway', async () => {
      if (gateway.code !== undefined) throw new Error(`it ended: ${gateway.errors}`)
      return (await fetch(`${origin}/health`).catch(() => undefined))?.ok
    })
    try {
      // In development, urql demands the text beside the id.
      const options = { cwd, env: { NODE_ENV: 'production' } }
      const lines = await run(process.execPath, ['ask.mjs', `${origin}/graphql`], options)
      return `${lines.length} ways of asking`
    } finally {
      await gateway.stop()
    }
  })
}
