import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { z } from 'zod'
import { contentPolicy, pageHeaders } from './contentPolicy.ts'
import { type Bodies, type StaticFile, staticFile } from './staticFile.ts'

/** A site that was built into static files: the files by their paths, such as `/assets/app-1a2b.js`. */
export interface Site {
  readonly files: ReadonlyMap<string, StaticFile>
  /** The one page that a browser shows at all paths of pages. */
  readonly page: StaticFile
  /** The first segments of the paths of pages. The empty one is the root. */
  readonly pages: ReadonlySet<string>
  /** The documents that pages ask for by their hashes while they are parsed: texts by SHA-256. */
  readonly documents: ReadonlyMap<string, string>
}

/** `site.json`, which the build of a site writes beside its files. */
const manifest = z.object({
  pages: z.array(z.string().regex(/^[a-z]*$/)),
  documents: z.array(z.string()).default([]),
})

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/**
 * Reads the files of a site into memory, with those that its build has compressed. Undefined if there is no
 * site in the folder. Requests are compared with the paths that were found, so that none leads out of it.
 */
export async function readSite(folder: URL): Promise<Site | undefined> {
  const text = await readFile(new URL('site.json', folder), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { pages, documents } = manifest.parse(JSON.parse(text))
  const names = (await readdir(folder, { recursive: true }))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => types[extname(name)] !== undefined && name !== 'site.json')
  const files = await Promise.all(
    names.map(async (name): Promise<[string, StaticFile]> => {
      const headers = { 'content-type': types[extname(name)] ?? '' }
      const kept = name.startsWith('assets/') ? 'forever' : 'asked'
      return [`/${name}`, staticFile(await readBodies(name, folder), kept, headers)]
    }),
  )
  return {
    files: new Map(files),
    page: await readPage(folder),
    pages: new Set(pages),
    documents: new Map(documents.map((text) => [hash('sha256', text), text])),
  }
}

async function readPage(folder: URL): Promise<StaticFile> {
  const bodies = await readBodies('index.html', folder)
  const needs = { scripts: ["'self'"], styles: ["'self'"], further: ["connect-src 'self'"] }
  const policy = contentPolicy(bodies.identity.toString(), needs)
  return staticFile(bodies, 'asked', {
    ...pageHeaders,
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
  })
}

/** The bytes of a file, and those in other codings that lie beside it. */
async function readBodies(name: string, folder: URL): Promise<Bodies> {
  const read = (ending: string) => readFile(new URL(name + ending, folder))
  const [identity, br, gzip] = await Promise.all([
    read(''),
    read('.br').catch(() => undefined),
    read('.gz').catch(() => undefined),
  ])
  return { identity, ...(br && { br }), ...(gzip && { gzip }) }
}
