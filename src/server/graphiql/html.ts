import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import { endpoint } from '../http/fetchClasses.ts'
import { type StaticFile, staticFile } from '../static/staticFile.ts'
import { keepTabsOf, type Tab } from './tabs.ts'

/** The longest address, in characters, that a server or a proxy takes for certain. */
const maxAddress = 4_000

/**
 * The options of GraphiQL as an expression for the page, from their JSON. A link with `query` and `variables` then
 * opens a tab with both, beside the kept tabs and the examples, and the address follows the open tab. The tab that was open is
 * opened again if there is no link. GraphiQL by itself reads the query of a link alone, shows it in the place of the first
 * example, and adds an empty tab to the kept ones.
 */
export const withLinkedTab = (options: string): string => `(function (options) {
            const link = new URLSearchParams(location.search);
            const tab = { query: link.get('query'), variables: link.get('variables') ?? '' };
            let open;
            try {
              const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
              const { query, variables } = tabs[activeTabIndex];
              open = query && { query, variables: variables ?? '' };
            } catch {
              // The browser keeps no tabs.
            }
            return {
              ...options,
              ...(tab.query ? { ...tab, defaultTabs: [tab, ...options.defaultTabs] } : open),
              onEditQuery() {},
              onTabChange({ tabs, activeTabIndex }) {
                const url = new URL(location.href);
                for (const name of ['query', 'variables']) {
                  const text = tabs[activeTabIndex]?.[name];
                  if (text) url.searchParams.set(name, text);
                  else url.searchParams.delete(name);
                }
                if (url.href.length > ${maxAddress}) url.search = '';
                history.replaceState(null, '', url.href);
              },
            };
          })(${options})`

/**
 * A script for the page, to run before GraphiQL. GraphiQL shows the error of the browser with the whole request if the
 * gateway cannot be reached. The script answers such a request with one sentence.
 */
const tellLostNetwork = `
        (function (send) {
          const sendOrTell = (input, init) =>
            send(input, init).catch((error) => {
              const { pathname } = new URL(input.url ?? input, location.href);
              if (error.name === 'AbortError' || pathname !== '${endpoint}') throw error;
              const errors = [{ message: 'The gateway cannot be reached. Try again in a moment.' }];
              return new Response(JSON.stringify({ errors }), { headers: { 'content-type': 'application/json' } });
            });
          window.fetch = sendOrTell;
        })(window.fetch);`

/**
 * A script for the page, to run after GraphiQL has begun. The role that GraphiQL gives to a tab allows no button inside,
 * but the button that closes a tab is there. The script makes the tabs a list of buttons, and marks the current button.
 */
const listTabs = `
      (function (root) {
        const change = () => {
          for (const list of root.querySelectorAll('[role="tablist"]')) list.setAttribute('role', 'list');
          for (const tab of root.querySelectorAll('.graphiql-tab')) {
            if (tab.getAttribute('role') !== 'listitem') tab.setAttribute('role', 'listitem');
            const selected = tab.getAttribute('aria-selected');
            if (selected === null) continue;
            tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', selected);
            tab.removeAttribute('aria-selected');
            tab.removeAttribute('aria-controls');
          }
        };
        const attributeFilter = ['role', 'aria-selected'];
        new MutationObserver(change).observe(root, { childList: true, subtree: true, attributes: true, attributeFilter });
        change();
      })(document.querySelector('#root'));`

export interface PageContent {
  readonly tabs: readonly Tab[]
  /** The name of the network. The browser keeps its tabs under this name. */
  readonly network: string
  readonly isSandbox: boolean
  /** The other sites of the server, which the header leads to. */
  readonly links: readonly Link[]
}

export interface Link {
  readonly href: string
  readonly text: string
}

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b6e99" d="M16 1l4 11 11 4-11 4-4 11-4-11-11-4 11-4z"/></svg>'

// GraphiQL moves a tab that gains focus by an offset that it measured before the layout was complete,
// so a click on one of several preset tabs misses it. Without the transform, tabs do not move.
const style = `
      /* Parts of the editor for screen readers stand below the page. */
      body { display: grid; grid-template-rows: auto minmax(0, 1fr); margin: 0; height: 100vh; height: 100dvh; overflow: hidden; }
      /* An editor is placed absolutely, and taller than its pane: without the position, the document would be that tall. */
      #root { position: relative; min-width: 0; overflow: clip; }
      #root, #root .graphiql-container { height: 100%; }
      .site { --line: #d3dde2; --link: #0b5f86; color: #14232e; background: #fff; font: 0.875rem/1.4 system-ui, sans-serif; }
      .site { padding: 0.25rem 1rem; border-bottom: 1px solid var(--line); }
      .site, .site nav { display: flex; gap: 1.25rem; align-items: center; justify-content: space-between; }
      .site h1 { margin: 0; font-size: inherit; }
      .site .network { margin: 0 auto 0 -0.75rem; padding: 0 0.5rem; border: 1px solid; border-radius: 1rem; font-size: 0.75rem; }
      .site a { padding: 0.25rem 0; color: var(--link); }
      @media (prefers-color-scheme: dark) {
        .site { --line: #263945; --link: #6cc1e6; color: #e3ebef; background: #111d26; }
      }
      /* The editor draws beyond its pane, over what is below it. */
      .graphiql-query-editor, .graphiql-response { overflow: hidden; }
      .graphiql-main { min-height: 0; }
      /* The font would draw the x of 0x as a multiplication sign. */
      .monaco-editor, .monaco-editor * { font-feature-settings: 'liga' 0, 'calt' 0 !important; }
      .graphiql-sidebar { position: relative; z-index: 1; }
      .graphiql-tab { transform: none !important; }
      /* The header says it. */
      .graphiql-logo { display: none !important; }
      .monaco-editor.vs-dark .line-numbers { color: #a5a5a5 !important; }
      /* Numbers of answers in the light theme, and comments in the dark one. */
      .monaco-editor.vs .mtk8 { color: #07724b !important; }
      .monaco-editor.vs-dark .mtk8 { color: #86bd74 !important; }
      .graphiql-response { position: relative; }
      .graphiql-response:not(:has(.view-lines [class^='mtk'])):not(:has(.graphiql-spinner))::before {
        position: absolute; inset: 30% 0 auto; z-index: 1; pointer-events: none; text-align: center;
        color: hsl(var(--color-neutral)); content: 'Press \\25B6\\FE0E  to run the query.';
      }
      .loading { margin: 0; padding: 2rem; font: 1rem system-ui, sans-serif; color: #57606a; }
      @media (prefers-color-scheme: dark) {
        body:has(.loading) { background: #16181d; }
        .loading { color: #b0b8c1; }
      }
      @media (max-width: 700px) {
        /* GraphiQL has no layout for phones: the answer goes below the query, and the bar to the bottom. */
        .graphiql-container .graphiql-container { flex-direction: column-reverse; }
        .graphiql-sidebar { flex-direction: row !important; width: auto !important; }
        .graphiql-sidebar button { margin-top: 0 !important; }
        .graphiql-sidebar button:nth-of-type(3) { margin-left: auto; }
        .graphiql-plugin { min-width: 100vw !important; box-sizing: border-box; }
        .graphiql-sessions { margin: 0 !important; border-radius: 0 !important; }
        #graphiql-session { flex-direction: column !important; }
        .graphiql-horizontal-drag-bar { display: none; }
      }
    `

/** The page as an HTML document. It shows a text until the script, which has megabytes, is there. */
export function renderPage(library: Library, { tabs, network, isSandbox, links }: PageContent): string {
  const title = isSandbox ? 'Portolan sandbox' : 'Portolan'
  const options = {
    title,
    logo,
    endpoint,
    subscriptionsProtocol: 'WS',
    // They hold keys.
    shouldPersistHeaders: false,
    // The documents have their variables as defaults, so the panel would only take room from the query.
    defaultEditorToolsVisibility: false,
    defaultTabs: tabs.map(({ query, variables }) => ({
      query,
      variables: JSON.stringify(variables, null, 2),
    })),
  }
  // The names of records are not trusted, and JSON does not escape `</script>` in them.
  const json = JSON.stringify(options).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>GraphiQL · ${title}</title>
    <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(logo)}">
    <style>${style}</style>
  </head>
  <body class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript. The graph itself does not: send a POST to ${endpoint}.</noscript>
    <header class="site">
      <h1>Portolan GraphiQL</h1>${isSandbox ? '\n      <span class="network">sandbox</span>' : ''}
      <nav>${links.map(({ href, text }) => `<a href="${href}">${text}</a>`).join(' ')}</nav>
    </header>
    <main id="root"><p class="loading">Loading GraphiQL (2 MB, once). The graph answers at ${endpoint}.</p></main>
    <link rel="stylesheet" href="${library.stylePath}">
    <script src="${library.scriptPath}"></script>
    <script>${keepTabsOf(network)}${tellLostNetwork}
      YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${withLinkedTab(json)});${listTabs}
    </script>
  </body>
</html>
`
}

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
