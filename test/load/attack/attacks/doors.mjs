// Hundreds of requests of one client that go on at the same moment.

/** The codes of the errors in answers, and those that are not among the expected ones as failures. */
const rated = (answers, expected) => {
  const codes = new Set(answers.flatMap((answer) => answer.codes))
  return {
    note: [...codes].join(' ') || 'ok',
    failures: [...codes].filter((code) => !expected.includes(code)),
  }
}

export const doorAttacks = [
  {
    name: 'waits for a height that never comes, 500 at once',
    gateway: { limits: { timeoutMs: 3_000 } },
    async run({ times, sendAll }) {
      const answers = await sendAll(times(500), (i) => ({
        query: `{ chain(chainId: "harbor-1", minHeight: 99999999) { a${i}: blocks(first: 1) { nodes { hash } } } }`,
      }))
      return rated(answers, ['UPSTREAM_TIMEOUT', 'RATE_LIMITED'])
    },
  },
  {
    name: 'calls of a tool over MCP, 400 at once',
    gateway: { mcp: true },
    async run({ times, sendAll }) {
      const call = (id) => ({
        ...{ jsonrpc: '2.0', id, method: 'tools/call' },
        params: { name: 'search', arguments: { text: 'harbor' } },
      })
      const options = {
        path: '/mcp',
        headers: { accept: 'application/json, text/event-stream' },
      }
      return rated(await sendAll(times(400), call, options), ['RATE_LIMITED'])
    },
  },
]
