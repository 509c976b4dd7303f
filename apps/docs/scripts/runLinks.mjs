/** Whether a text is an operation: not a schema, and with no value that only an earlier answer gives. */
const isOperation = (text, variables) => !/^\s*(extend |schema|type |scalar )/m.test(text) && !variables.includes('…')

const isVariables = ({ info = '' }) => info.trim() === 'json variables'

/** Adds a link to each block of GraphQL, which opens it in GraphiQL with the variables that follow it. */
export function addRunLinks(md) {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const html = fence(tokens, index, ...rest)
    const { info, content } = tokens[index]
    if (isVariables(tokens[index])) return html.replace('>json</span>', '>variables</span>')
    if (!/^graphql( \S+\.graphql)?$/.test(info.trim())) return html
    const next = tokens[index + 1]
    const variables = next && isVariables(next) ? next.content : ''
    if (!isOperation(content, variables)) return html
    const search = new URLSearchParams({ query: content.trim(), ...(variables && { variables }) })
    const href = md.utils.escapeHtml(`/graphql?${search}`)
    return `${html}<p class="run"><a href="${href}" target="_blank" rel="noopener">Run it in GraphiQL</a></p>\n`
  }
}
