/** Whether a document is a subscription. */
export const isSubscription = (query: string): boolean => /(^|\n)\s*subscription\b/.test(query)

/** The text of a document as a person would write it: each line as deep as the braces and brackets around it. */
export function indented(query: string): string {
  let depth = 0
  const lines = query.split('\n').flatMap((text) => {
    const line = text.trim()
    if (line === '') return []
    if (/^[)}]/.test(line)) depth--
    const indent = '  '.repeat(depth)
    if (/[({]$/.test(line)) depth++
    return [indent + line]
  })
  return lines.join('\n').replace(/\n(?=(fragment|query|subscription) )/g, '\n\n')
}

/** A program for `@portolan/client` that runs an operation. */
export function clientCode({
  query,
  variables,
  url,
}: {
  query: string
  /** JSON. */
  variables: string
  url: string
}): string {
  const document = query.replace(/[\\`]|\$\{/g, '\\$&')
  const call = isSubscription(query)
    ? `for await (const event of client.subscribe(document, variables)) {
  if (event.kind === 'data') console.log(event.data)
}`
    : 'console.log(await client.query(document, variables))'
  return `import { createClient } from '@portolan/client'

const client = createClient({ url: ${JSON.stringify(url)} })
const document = \`
${document}
\`
const variables = ${variables}
${call}
`
}
