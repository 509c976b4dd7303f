// Publishes each package whose version npm does not have, with provenance: node scripts/publish.mjs. The workflow of a release
// runs it. All packages are packed before the first one is published, and a second run publishes what a first one did not
// reach. It needs NPM_TOKEN, or NPM_TRUSTS_THIS_WORKFLOW=true once each package names the workflow as its trusted publisher.
// Without both it publishes nothing, and says so.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folders, installAll, main, manifestIn, pack, root, run, say } from './packages.mjs'

const { NPM_TOKEN: token, NPM_TRUSTS_THIS_WORKFLOW: isTrusted, GITHUB_REPOSITORY: repository } = process.env
// What installs and builds the packages does not get it.
delete process.env.NPM_TOKEN

/** The variable that has the token for the registry in use. */
function credentials() {
  if (!token) return {}
  const { host, pathname } = new URL(run('npm', ['config', 'get', 'registry']).trim())
  return { [`npm_config_//${host}${pathname}:_authToken`]: token }
}

/** Whether the registry has this version. */
function isPublished({ name, version }) {
  try {
    return run('npm', ['view', `${name}@${version}`, 'version']).trim() === version
  } catch (error) {
    if (error.message.includes('E404')) return false
    throw error
  }
}

/** Packs a package that names this repository, without which npm refuses its provenance. Returns the path of the archive. */
function packWithRepository(folder, into) {
  const url = `git+https://github.com/${repository}.git`
  run('npm', ['pkg', 'set', 'repository.type=git', `repository.url=${url}`], { cwd: join(root, folder) })
  return pack(folder, into)
}

await main(() => {
  if (!token && isTrusted !== 'true') {
    say('Nothing is published: neither NPM_TOKEN nor a trusted publisher is set.')
    return
  }
  const missing = folders.filter((folder) => !isPublished(manifestIn(join(root, folder))))
  if (missing.length > 0) installAll()
  const scratch = mkdtempSync(join(tmpdir(), 'portolan-publish-'))
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
  const archives = missing.map((folder) => packWithRepository(folder, scratch))
  const env = { ...process.env, ...credentials() }
  for (const archive of archives) {
    run('npm', ['publish', archive, '--provenance', '--access', 'public'], { env })
    say(`${archive.slice(scratch.length + 1)} is published.`)
  }
})
