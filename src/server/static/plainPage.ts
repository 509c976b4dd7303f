import { createHash } from 'node:crypto'
import { contentPolicy, pageHeaders, type StaticFile, staticFile } from './staticFile.ts'

const style = `
      :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; color: #14232e; background: #fff; --link: #0b5f86 }
      @media (prefers-color-scheme: dark) { :root { color: #e3ebef; background: #111d26; --link: #6cc1e6 } }
      body { max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem }
      a { color: var(--link) }
      h1 { font-size: 1.5rem; line-height: 1.2 }
      h2 { font-size: 1.125rem; line-height: 1.2; margin: 2rem 0 0 }
      code, pre { font-size: 0.9em; overflow-wrap: anywhere }
      pre { white-space: pre-wrap }
      nav { display: flex; gap: 1.25rem }
    `

/** A text as text of HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A page without scripts, in the light or dark theme of the system. What it shows, and the links above it, are HTML. */
export function plainPage(title: string, main: string, links = ''): StaticFile {
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <style>${style}</style>
  </head>
  <body>
${links}<main>
${main}
</main>
  </body>
</html>
`
  const hash = createHash('sha256').update(style).digest('base64')
  return staticFile({ identity: Buffer.from(html) }, 'asked', {
    ...pageHeaders,
    'content-security-policy': contentPolicy(html, [], [`'sha256-${hash}'`]),
  })
}

/** The page at an unknown path of a server without an explorer. */
export const lostPage = (): StaticFile =>
  plainPage(
    'Not found',
    `<h1>Not found</h1>
<p>There is no page here. The graph is at <a href="/graphql"><code>/graphql</code></a>, and the guides are at
<a href="/docs/"><code>/docs/</code></a>.</p>`,
  )
