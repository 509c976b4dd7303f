/** Whether a document is a subscription. */
export const isSubscription = (query: string): boolean => /(^|\n)\s*subscription\b/.test(query)

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
