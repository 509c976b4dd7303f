import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { withLinkedTab } from '../../../src/server/graphiql/html.ts'

interface Tab {
  readonly query: string | null
  readonly variables: string | null
}

interface Options extends Partial<Tab> {
  readonly defaultTabs: readonly Tab[]
  readonly onEditQuery: (query: string) => void
  readonly onTabChange: (state: { tabs: readonly Tab[]; activeTabIndex: number }) => void
}

const example: Tab = { query: '{ chains { chainId } }', variables: '{}' }

/** Opens the page at an address. Returns the options that GraphiQL gets, and what the address is then. */
function open(search: string) {
  const location = new URL(`http://127.0.0.1:4000/graphql${search}`)
  const history = {
    replaceState: (_state: unknown, _title: string, href: string) => {
      location.href = href
    },
  }
  const options: Options = runInNewContext(
    withLinkedTab(JSON.stringify({ title: 'Portolan', defaultTabs: [example] })),
    { location, history, URL, URLSearchParams },
  )
  return { options, location }
}

const linkTo = ({ query, variables }: Tab) =>
  `?${new URLSearchParams({ query: query ?? '', variables: variables ?? '' })}`

test('a link opens a tab with its query and variables before the examples', () => {
  const tab = { query: 'query Q($id: ID!) { node(id: $id) { id } }', variables: '{"id":"a&b"}' }
  const { options } = open(linkTo(tab))
  expect(options).toMatchObject({ title: 'Portolan', ...tab, defaultTabs: [tab, example] })
})

test('a link without variables opens with empty variables', () => {
  expect(open('?query=%7Bchains%7BchainId%7D%7D').options).toMatchObject({ variables: '' })
})

test('a URL without a query opens the examples', () => {
  for (const search of ['', '?query=', '?variables=%7B%7D']) {
    const { options } = open(search)
    expect(options.defaultTabs).toEqual([example])
    expect(options).not.toHaveProperty('query')
    expect(options).not.toHaveProperty('variables')
  }
})

test('the URL is updated to link to the open tab', () => {
  const { options, location } = open('?kept=1')
  const tabs = [example, { query: '{ a }', variables: null }, { query: null, variables: null }]
  options.onTabChange({ tabs, activeTabIndex: 0 })
  expect(open(location.search).options).toMatchObject(example)
  options.onEditQuery('{ b }')
  options.onTabChange({ tabs, activeTabIndex: 1 })
  expect(location.search).toBe('?kept=1&query=%7B+a+%7D')
  options.onTabChange({ tabs, activeTabIndex: 2 })
  expect(location.search).toBe('?kept=1')
})

test('a query too long for the URL is not added to it', () => {
  const { options, location } = open('')
  const tabs = [{ query: `{ ${'a '.repeat(4_000)} }`, variables: null }]
  options.onTabChange({ tabs, activeTabIndex: 0 })
  expect(location.href).toBe('http://127.0.0.1:4000/graphql')
})
