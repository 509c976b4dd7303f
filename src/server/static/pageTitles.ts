import { openDeadline } from '../../kit/clock/deadline.ts'
import type { Client } from '../clients/client.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import type { Services } from '../services.ts'
import { escapeHtml } from './plainPage.ts'
import type { Site } from './site.ts'
import { type StaticFile, staticFile } from './staticFile.ts'
import { type PageTitle, type TitledRecord, titledRecordAt } from './titledRecords.ts'

/** The page of a site under titles of the records that its paths name, for previews of links. */
export interface PageTitles {
  /**
   * The page with the title of its record, or with status 404 if there is no such record. Undefined if the path is not
   * that of a record, or too many titles are being made. Resolves to the page as it is if the record cannot be read in
   * time, which is short for a browser.
   */
  pageAt(path: string, client: Client, isBrowser: boolean): Promise<StaticFile> | undefined
}

/** Milliseconds that a preview waits for a title, and that a browser does. */
const [previewMs, browserMs] = [500, 100]
/** Milliseconds that a title is kept. The records of transfers change. */
const ttlMs = 30_000
/** Titles that are made at once. Beyond it, pages have the title of the site. */
const maxOpen = 16

/** Makes titles of a site from the graph. */
export function createPageTitles(
  site: Site,
  pipeline: Pick<Pipeline, 'run'>,
  { cache, clock }: Pick<Services, 'cache' | 'clock'>,
): PageTitles {
  const titles = cache.open<PageTitle | 'none'>({ name: 'pageTitles', maxEntries: 1_000, ttlMs })
  const notFound = { ...site.page, status: 404 }
  let open = 0
  const makeTitle = async (record: TitledRecord, client: Client, milliseconds: number) => {
    const deadline = openDeadline(clock, { milliseconds })
    open++
    try {
      return await titles.fetch(
        record.key,
        async (signal) => {
          // The client that asks pays for it.
          const result = await pipeline.run(record, { client, signal })
          const { data, errors } = result as { data?: unknown; errors?: unknown }
          const isMissing = errors === undefined && !record.mayFollow
          const title = record.title(data) ?? (isMissing ? 'none' : undefined)
          // Thrown, so that it is not kept: the next preview may find it.
          if (!title) throw new Error('The record cannot be read, or is not known yet.')
          return title
        },
        deadline.signal,
      )
    } catch {
      return undefined
    } finally {
      open--
      deadline.close()
    }
  }
  return {
    pageAt(path, client, isBrowser) {
      const record = titledRecordAt(path)
      if (record === 'none') return Promise.resolve(notFound)
      if (!record || open >= maxOpen) return undefined
      return makeTitle(record, client, isBrowser ? browserMs : previewMs).then((title) => {
        if (title === 'none') return notFound
        // The page of a browser sets its title itself, and is the same for all records in its cache.
        return title && !isBrowser ? withTitle(site.page, title) : site.page
      })
    },
  }
}

/** The page with another title and description, in the head and for Open Graph. */
function withTitle({ bodies, headers }: StaticFile, { title, description }: PageTitle): StaticFile {
  const [shownTitle, shownDescription] = [escaped(title), escaped(description)]
  const html = bodies.identity
    .toString()
    .replace(/<title>[^<]*<\/title>/, () => `<title>${shownTitle}</title>`)
    .replace(/(<meta property="og:title" content=")[^"]*/, (_, head) => head + shownTitle)
    .replace(
      /(<meta (?:name="description"|property="og:description") content=")[^"]*/g,
      (_, head) => head + shownDescription,
    )
  const { etag: _, ...own } = headers
  return staticFile({ identity: Buffer.from(html) }, 'asked', own)
}

/** Text from chains as text of HTML: at most 200 characters, on one line, and in no direction but its own. */
const escaped = (text: string): string =>
  escapeHtml([...text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')].slice(0, 200).join(''))
