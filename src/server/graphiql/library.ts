import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import { type StaticFile, staticFile } from '../static/staticFile.ts'

/** GraphiQL: files that never change, by their paths. */
export interface Library {
  readonly files: ReadonlyMap<string, StaticFile>
  readonly scriptPath: string
  readonly stylePath: string
}

/** Where the clone and the package have it, from the sources and from what is compiled alike. */
const built = new URL('../../../packages/graphiql/', import.meta.url)

/** The first segment of the paths of the files. */
const folder = '/graphiql/'

/** Whether a path can be that of a file of GraphiQL. */
export const isOfGraphiql = (path: string): boolean => path.startsWith(folder)

/** Reads GraphiQL. Rejects if the package has been cut. */
export async function loadLibrary(): Promise<Library> {
  const [[scriptPath, script], [stylePath, style]] = await Promise.all([
    readPart('js', 'text/javascript; charset=utf-8'),
    readPart('css', 'text/css; charset=utf-8'),
  ])
  const files = new Map([
    [scriptPath, script],
    [stylePath, style],
  ])
  return { files, scriptPath, stylePath }
}

/** A part, with the hash of its bytes in its path. */
async function readPart(ending: string, type: string): Promise<readonly [string, StaticFile]> {
  const br = await readFile(new URL(`graphiql.${ending}.br`, built))
  const identity = await promisify(brotliDecompress)(br)
  const name = createHash('sha256').update(identity).digest('hex').slice(0, 16)
  const bodies = { identity, br, gzip: await promisify(gzip)(identity) }
  return [`${folder}${name}.${ending}`, staticFile(bodies, 'forever', { 'content-type': type })]
}
