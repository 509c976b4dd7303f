import { createHash } from 'node:crypto'
import { keyName } from '../src/app/apiKey.ts'
import { earlyAnswers } from '../src/app/earlyFetch.ts'
import { type FirstQuery, firstQueries, headerQuery } from '../src/app/firstQueries.ts'
import { type PageName, pagePaths } from '../src/app/pages.ts'
import { sourceOf } from './pageSources.ts'
import { recordQueries } from './recordQueries.ts'

/** A built script, and the scripts that it imports at once. */
interface BuiltFile {
  readonly name: string
  readonly imports: readonly string[]
}

/**
 * The script of the document of the site, and `site.json`. While the document is parsed, the script sends the first
 * queries of the page and asks for the scripts of the page. The documents go by their hashes, which the gateway knows
 * from `site.json`, as it knows the paths of pages, and how to find out whether there is the record of a page.
 */
export function earlyQueries(files: ReadonlyMap<string, BuiltFile>) {
  const main = files.get('src/main.tsx')
  const filesOf = (page: PageName) => {
    // The home page comes with the frame of all pages.
    const file = page === 'home' ? main : files.get(sourceOf(page))
    if (!file) throw new Error(`The page ${page} has no script.`)
    return [...new Set([file.name, ...file.imports])].filter((name) => name !== main?.name)
  }
  const rows = pagePaths.map(({ page, first, lengths }) => {
    const query = firstQueries[page]
    const parts = [...[JSON.stringify(lengths), JSON.stringify(filesOf(page))], ...(query ? [queryText(query)] : [])]
    return `${JSON.stringify(first)}:[${parts.join(',')}]`
  })
  const documents = [headerQuery, ...Object.values(firstQueries)].map(({ document }) => String(document))
  return {
    script: scriptOf(rows.join(','), queryText(headerQuery)),
    manifest: {
      pages: Object.fromEntries(pagePaths.map(({ first, lengths }) => [first, lengths])),
      documents,
      records: recordQueries,
    },
  }
}

const queryText = ({ document, variables }: FirstQuery) =>
  `[${JSON.stringify(createHash('sha256').update(String(document)).digest('hex'))},${variables}]`

/** The body of a request is the text that the client makes of it: the two are compared. */
const scriptOf = (rows: string, header: string) => `
      {
        const pages = {${rows}}
        const [name, ...encoded] = location.pathname.replace(/^\\/|\\/$/g, '').split('/')
        const answers = (window.${earlyAnswers} = new Map())
        const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json' }
        const ask = ([sha256Hash, variablesOf]) => {
          const variables = variablesOf(encoded.map(decodeURIComponent), new URLSearchParams(location.search))
          if (!variables) return
          const body = JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash } }, variables })
          const answer = fetch('/graphql', { method: 'POST', headers, body })
          answer.catch(() => {})
          answers.set(body, answer)
        }
        try {
          const key = sessionStorage.getItem('${keyName}')
          if (key) headers.authorization = 'Bearer ' + key
        } catch {}
        try {
          const [[least, most], files, query] = pages[name]
          for (const href of files) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: '/' + href }))
          if (query && encoded.length >= least && encoded.length <= most) ask(query)
        } catch {}
        ask(${header})
      }
    `
