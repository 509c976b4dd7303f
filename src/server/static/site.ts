import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { z } from 'zod'
import type { CacheStore } from '../../kit/cache/cache.ts'
import { type Bodies, contentPolicy, pageHeaders, type StaticFile, staticFile } from './staticFile.ts'

/** A site that was built into static files: the files by their paths, such as `/assets/app-1a2b.js`. */
export interface Site {
  readonly files: ReadonlyMap<string, StaticFile>
  /** The one page that a browser shows at all paths of pages. */
  readonly page: StaticFile
  /**
   * The paths of pages by their first segments: how many more segments they have, at least and at most. The empty
   * segment is the root.
   */
  readonly pages: ReadonlyMap<string, readonly [least: number, most: number]>
  /** The documents that pages ask for by their hashes while they are parsed: texts by SHA-256. */
  readonly documents: ReadonlyMap<string, string>
  /** The pages of records, which may not exist. */
  readonly records: readonly RecordQueries[]
}

/** How the record of a page is looked for. */
export interface RecordQueries {
  /** The pattern of its path. Its groups are the variables of the query, URL-encoded. */
  readonly pattern: RegExp
  /** Queries whose data has a null or an empty list if there is no such record. A later one is for what the first lacks. */
  readonly queries: readonly string[]
}

/** The files of a site whose pages are files of their own, by their paths, such as `/docs/start`. */
export interface Pages {
  has(path: string): boolean
  /** The file at a path. Undefined if there is none. */
  fileAt(path: string): StaticFile | Promise<StaticFile | undefined> | undefined
}

/** The most bytes of such a site in memory. It has megabytes, and readers ask for few of its pages. */
const maxPageBytes = 2_000_000

/** `site.json`, which the build of a site writes beside its files. */
const manifest = z.object({
  pages: z.record(z.string().regex(/^[a-z]*$/), z.tuple([z.int(), z.int()])),
  documents: z.array(z.string()).default([]),
  records: z
    .array(z.object({ pattern: z.string().transform((pattern) => new RegExp(pattern)), queries: z.array(z.string()) }))
    .default([]),
})

/** The same of a site whose pages are files of their own. */
const pagesManifest = z.object({
  /** The path of the folder of the site. */
  base: z.string().regex(/^\/[a-z]+\/$/),
  /** Files that are at the root of the server too, such as `llms.txt`. */
  atRoot: z.array(z.string().regex(/^[a-z]+\.txt$/)),
})

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/**
 * Reads the files of a site into memory, with their compressed forms if its build has made them. Undefined if there
 * is no site in the folder. A request gets a file only at a path found here, so that none leads out of the folder.
 * Its page may show images of the origins `images`.
 */
export async function readSite(folder: URL, images: readonly string[] = []): Promise<Site | undefined> {
  const text = await readManifest(folder)
  if (text === undefined) return undefined
  const { pages, documents, records } = manifest.parse(JSON.parse(text))
  const files = await readFiles(await namesIn(folder), folder)
  return {
    files: new Map(files.map(([name, file]) => [`/${name}`, file])),
    page: await readPage('index.html', folder, images),
    pages: new Map(Object.entries(pages)),
    documents: new Map(documents.map((text) => [hash('sha256', text), text])),
    records,
  }
}

/**
 * Reads the list of the files of a site whose pages are files of their own: `start.html` is the page at `start` below its
 * folder. A file is read when it is asked for. Undefined if there is no site in the folder.
 */
export async function readPages(folder: URL, cache: CacheStore): Promise<Pages | undefined> {
  const text = await readManifest(folder)
  if (text === undefined) return undefined
  const { base, atRoot } = pagesManifest.parse(JSON.parse(text))
  const names = new Map(
    (await namesIn(folder)).flatMap((name) =>
      listPlaces(name, base, atRoot).map((path): [string, string] => [path, name]),
    ),
  )
  const kept = cache.open<StaticFile>({ name: `pages of ${base}`, maxBytes: maxPageBytes })
  const read = async (name: string) => {
    const file = await (isPage(name) ? readPage(name, folder) : readSiteFile(name, folder))
    kept.set(name, file, bytesOf(file))
    return file
  }
  return {
    has: (path) => names.has(path),
    fileAt(path) {
      const name = names.get(path)
      if (name === undefined) return undefined
      // A file that a newer build has removed counts as missing.
      return kept.get(name) ?? read(name).catch(() => undefined)
    },
  }
}

/** The paths of a file in such a site: pages have names without endings, and some files are at the root too. */
function listPlaces(name: string, base: string, atRoot: readonly string[]): string[] {
  if (isPage(name)) return [base + name.replace(/\.html$/, '').replace(/(^|\/)index$/, '$1')]
  if (!isFile(name)) return []
  return atRoot.includes(name) ? [base + name, `/${name}`] : [base + name]
}

const isPage = (name: string): boolean => extname(name) === '.html'

/** Whether a file of a build is served as it is. */
const isFile = (name: string): boolean => types[extname(name)] !== undefined && name !== 'site.json'

const bytesOf = ({ bodies }: StaticFile): number => Object.values(bodies).reduce((sum, body) => sum + body.length, 0)

const readManifest = (folder: URL): Promise<string | undefined> =>
  readFile(new URL('site.json', folder), 'utf8').catch(() => undefined)

const namesIn = async (folder: URL): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'))

const readFiles = (names: readonly string[], folder: URL): Promise<[string, StaticFile][]> =>
  Promise.all(
    names.filter(isFile).map(async (name): Promise<[string, StaticFile]> => [name, await readSiteFile(name, folder)]),
  )

async function readSiteFile(name: string, folder: URL): Promise<StaticFile> {
  const kept = name.startsWith('assets/') ? 'forever' : 'asked'
  return staticFile(await readBodies(name, folder), kept, {
    'content-type': types[extname(name)] ?? '',
  })
}

async function readPage(name: string, folder: URL, images: readonly string[] = []): Promise<StaticFile> {
  const bodies = await readBodies(name, folder)
  const policy = contentPolicy(bodies.identity.toString(), ["'self'"], ["'self'"], ["connect-src 'self'"], images)
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
