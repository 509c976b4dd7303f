import { existsSync } from 'node:fs'
import type { CacheStore } from '../../kit/cache/cache.ts'
import { readGuides } from './guides.ts'
import { type Pages, readPages, readSite, type Site } from './site.ts'

/** The sites as they were built, from the sources and from what is compiled alike. */
const folders = {
  explorer: new URL('../../../dist/explorer/', import.meta.url),
  docs: new URL('../../../dist/docs/', import.meta.url),
} as const

const guides = new URL('../../../docs/', import.meta.url)

/** A site that is built apart from the gateway. */
type SiteName = keyof typeof folders

/** Which sites are served, and whether they may be. */
export interface SiteOptions {
  /** Serve the explorer at `/`, if it has been built. Default: true. */
  readonly explorer?: boolean
  /** Serve the documentation at `/docs/`, if it has been built. Default: true. */
  readonly docs?: boolean
  readonly trustedDocumentsOnly?: boolean | undefined
}

/** Whether a site is turned on. The queries of the explorer are not among the trusted documents. */
const isOn = (name: SiteName, options: SiteOptions): boolean =>
  (options[name] ?? true) && !(name === 'explorer' && options.trustedDocumentsOnly)

/** The files of the explorer. Undefined if it is turned off or has not been built. */
export const readExplorer = async (options: SiteOptions): Promise<Site | undefined> =>
  isOn('explorer', options) ? readSite(folders.explorer) : undefined

/** The pages of the documentation, or else the list of its sources. Undefined if it is turned off. */
export const readDocs = async (options: SiteOptions, cache: CacheStore): Promise<Pages | undefined> =>
  isOn('docs', options) ? ((await readPages(folders.docs, cache)) ?? readGuides(guides)) : undefined

/** Whether a site is `served`, `unbuilt`, or `off` by a setting. */
export function siteState(name: SiteName, options: SiteOptions): 'served' | 'unbuilt' | 'off' {
  if (!isOn(name, options)) return 'off'
  return existsSync(new URL('site.json', folders[name])) ? 'served' : 'unbuilt'
}
