// Publishes each package whose version npm does not have, with provenance: node scripts/publish.mjs. The workflow of a release
// runs it, and a second run publishes what a first one did not reach. Without NPM_TOKEN, and unless NPM_TRUSTS_THIS_WORKFLOW
// says `true` (each package names this workflow as its trusted publisher), it publishes nothing and says so.
import { join } from 'node:path'
import { folders, installAll, main, manifestIn, root, run, say } from './packages.mjs'

const { NPM_TOKEN: token, NPM_TRUSTS_THIS_WORKFLOW: isTrusted, GITHUB_REPOSITORY: repository, ...env } = process.env

/** The variable that has the token for the registry in use. */
function credentials() {
  if (!token) return {}
  const { host, pathname } = new URL(run('npm', ['config', 'get', 'registry']).trim())
  return { [`npm_config_//${host}${pathname}:_authToken`]: token }
}

/** Whether the registry has this version. */
function isPublished(name, version) {
  try {
    return run('npm', ['view', `${name}@${version}`, 'version']).trim() === version
  } catch (error) {
    if (error.message.includes('E404')) return false
    throw error
  }
}

await main(() => {
  if (!token && isTrusted !== 'true')
    return say('Nothing is published: neither NPM_TOKEN nor a trusted publisher is set.')
  installAll()
  const own = { ...env, ...credentials() }
  for (const folder of folders) {
    const { name, version } = manifestIn(join(root, folder))
    if (isPublished(name, version)) {
      say(`${name}@${version} is there already.`)
      continue
    }
    // npm refuses provenance unless the package names the repository that builds it.
    const url = `git+https://github.com/${repository}.git`
    run('npm', ['pkg', 'set', 'repository.type=git', `repository.url=${url}`], { cwd: join(root, folder) })
    run('npm', ['publish', folder, '--provenance', '--access', 'public'], { env: own })
    say(`${name}@${version} is published.`)
  }
})
