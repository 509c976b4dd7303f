import { createHash } from 'node:crypto'
import { endpoint } from '../http/yoga.ts'
import { compress, type StaticFile, staticFile } from '../static/staticFile.ts'

/** GraphiQL as its package renders it, in parts: files that never change, and the page around them. */
export interface Library {
  /** The script and the style sheet, by their paths. */
  readonly files: ReadonlyMap<string, StaticFile>
  /** The page with a script of its own, which runs before GraphiQL, and an expression for its options. */
  render(script: string, options: string): string
}

/** The first segment of the paths of the files. */
const folder = '/graphiql/'

/** Whether a path can be that of a file of GraphiQL. */
export const isOfGraphiql = (path: string): boolean => path.startsWith(folder)

/** Options that every page has. */
export const commonOptions = {
  title: 'Portolan',
  endpoint,
  subscriptionsProtocol: 'WS',
  // The one of the package takes 130 kB.
  favicon: `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b6e99" d="M16 1l4 11 11 4-11 4-4 11-4-11-11-4 11-4z"/></svg>',
  )}`,
} as const

const call = 'YogaGraphiQL.renderYogaGraphiQL('

/**
 * Loads GraphiQL. The package renders nine megabytes of script and style into each page: they are cut out into
 * files that browsers keep.
 */
export async function loadLibrary(): Promise<Library> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const html = renderGraphiQL(commonOptions)
  const [head, style, afterStyle] = cut(html, '<style>', '</style>')
  const end = afterStyle.lastIndexOf(call)
  const [body, script] = cut(afterStyle.slice(0, end), '<script>', '')
  const [beforeOptions, afterOptions] = split(afterStyle.slice(end), JSON.stringify(commonOptions))
  const [stylePath, styleFile] = await hashed(style, 'css', 'text/css; charset=utf-8')
  const [scriptPath, scriptFile] = await hashed(script, 'js', 'text/javascript; charset=utf-8')
  return {
    files: new Map([
      [stylePath, styleFile],
      [scriptPath, scriptFile],
    ]),
    render: (own, options) =>
      [
        ...[head, `<link rel="stylesheet" href="${stylePath}"><style>${tabStyle}</style>`, body],
        ...[`<script src="${scriptPath}"></script><script>`, own, beforeOptions, options],
        afterOptions,
      ].join(''),
  }
}

// GraphiQL moves a tab that gains focus by an offset that it measured before the layout was complete,
// so a click on one of several preset tabs misses it. Without the transform, tabs do not move.
const tabStyle = '.graphiql-tab { transform: none !important; }'

/** A text with the hash of its bytes in its name. */
async function hashed(
  text: string,
  ending: string,
  type: string,
): Promise<readonly [string, StaticFile]> {
  const bytes = Buffer.from(text)
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const file = staticFile(await compress(bytes), 'forever', { 'content-type': type })
  return [`${folder}${name}.${ending}`, file]
}

/** What is before, between and after two marks. */
function cut(text: string, open: string, close: string): [string, string, string] {
  const [before, rest] = split(text, open)
  return close === '' ? [before, rest, ''] : [before, ...split(rest, close)]
}

/** What is before and after the first mark. Throws if the package renders another page than it did. */
function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`GraphiQL renders no ${mark}.`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}
