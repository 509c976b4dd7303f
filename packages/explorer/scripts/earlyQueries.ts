import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'
import { keyName } from '../src/app/apiKey.ts'
import { earlyAnswers } from '../src/app/early.ts'
import { type FirstQuery, firstQueries, headerQuery } from '../src/app/firstQueries.ts'
import { lengths, type PageName, pageNames } from '../src/app/pages.ts'

/** The modules of pages, whose scripts are loaded together with the first query. */
const modules: Partial<Readonly<Record<PageName, string>>> = {
  '': 'Home',
  tx: 'Transaction',
  address: 'Account',
}

const moduleOf = (page: PageName) => modules[page] ?? page.charAt(0).toUpperCase() + page.slice(1)

/**
 * Writes a script into the document of the site. While the document is parsed, it sends the first queries of the
 * page and asks for the scripts of the page. The documents go by their hashes, which the gateway knows from
 * `site.json`, as it knows the paths of pages.
 */
export function earlyQueries(): Plugin {
  return {
    name: 'early-queries',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const fileOf = (page: PageName) =>
          chunks.find(({ facadeModuleId }) =>
            facadeModuleId?.endsWith(`/src/pages/${moduleOf(page)}.tsx`),
          )
        const entry = chunks.find(({ isEntry }) => isEntry)
        const filesOf = (page: PageName) => {
          const chunk = fileOf(page)
          if (!chunk) throw new Error(`The page ${page} has no chunk.`)
          return [chunk.fileName, ...chunk.imports].filter((name) => name !== entry?.fileName)
        }
        const rows = pageNames.map((page) => {
          const query = firstQueries[page]
          const parts = [
            ...[JSON.stringify(lengths[page]), JSON.stringify(filesOf(page))],
            ...(query ? [queryText(query)] : []),
          ]
          return `${JSON.stringify(page)}:[${parts.join(',')}]`
        })
        const script = scriptOf(rows.join(','), queryText(headerQuery))
        return html.replace('<!--early-->', () => `<script>${script}</script>`)
      },
    },
    generateBundle() {
      const documents = [headerQuery, ...Object.values(firstQueries)].map(({ document }) =>
        String(document),
      )
      this.emitFile({
        type: 'asset',
        fileName: 'site.json',
        source: JSON.stringify({ pages: lengths, documents }),
      })
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
