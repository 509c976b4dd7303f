import { existsSync } from 'node:fs'
import { readSite, type Site } from './server/static/site.ts'

/** The explorer as it was built, from the sources and from what is compiled alike. */
const folder = new URL('../dist/explorer/', import.meta.url)

/** Whether an explorer is served, and whether it may be. */
export interface ExplorerOptions {
  /** Serve the explorer at `/`, if it has been built. Default: true. */
  readonly explorer?: boolean
  readonly trustedDocumentsOnly?: boolean | undefined
}

/** Whether the explorer is turned on. Its queries are not among the trusted documents. */
const isOn = ({ explorer = true, trustedDocumentsOnly = false }: ExplorerOptions): boolean =>
  explorer && !trustedDocumentsOnly

/** The files of the explorer. Undefined if it is turned off or has not been built. */
export const readExplorer = async (options: ExplorerOptions): Promise<Site | undefined> =>
  isOn(options) ? readSite(folder) : undefined

/** Whether the explorer is `served`, `unbuilt`, or `off` by a setting. */
export function explorerState(options: ExplorerOptions): 'served' | 'unbuilt' | 'off' {
  if (!isOn(options)) return 'off'
  return existsSync(new URL('site.json', folder)) ? 'served' : 'unbuilt'
}
