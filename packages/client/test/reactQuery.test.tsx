import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TypedDocument } from '../src/document.ts'
import { errorOf, PortolanError } from '../src/portolanError.ts'
import { ClientProvider, type QueryPages, type QueryState, usePages, useQuery, useRetry } from '../src/react.ts'
import { fakeClient } from './support/fakeClient.ts'
import { mount } from './support/mount.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

interface Block {
  readonly block: { readonly height: number; readonly hash: string | null } | null
}

const document = 'query Block($height: Int!) { block(height: $height) { height hash } }' as TypedDocument<
  Block,
  { height: number }
>

const network = () => new PortolanError('NETWORK', 'The connection to the gateway was lost.')
const refusal = () => errorOf([{ message: 'No.', extensions: { code: 'BAD_USER_INPUT' } }])
const late = (retryAfter?: number) => ({
  message: 'Late.',
  path: ['block', 'hash'],
  extensions: { code: 'UPSTREAM_TIMEOUT', ...(retryAfter && { retryAfter }) },
})
const block = (height: number, hash: string | null = `h${height}`): Block => ({ block: { height, hash } })

/** Lets timers of so many milliseconds run, and React draw. Each of its turns is one of the event loop. */
async function pass(ms = 1) {
  const draw = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  await draw()
  await vi.advanceTimersByTimeAsync(ms)
  await draw()
}

/** What a component of a query shows, and its last state. */
function shown() {
  const latest: { state?: QueryState<Block> } = {}
  function Shown({ height, skip = false, retry = true }: { height: number; skip?: boolean; retry?: boolean }) {
    const state = useQuery(document, { height }, { skip, retry })
    latest.state = state
    const { data, error, isLoading } = state
    return [isLoading && 'loading', data && `data ${data.block?.height ?? null}`, error && `error ${error.code}`]
      .filter(Boolean)
      .join(', ')
  }
  return { Shown, latest }
}

describe('useQuery', () => {
  test('sends one request in StrictMode, and shows its answer', async () => {
    const { client, asked, last } = fakeClient()
    const { Shown, latest } = shown()
    const page = mount(client, <Shown height={1} />)
    await pass()
    expect([page.text(), asked.length, last().document, last().variables]).toEqual([
      ...['loading', 1, document],
      { height: 1 },
    ])
    expect(latest.state?.loadedAt).toBeUndefined()
    const now = Date.now()
    last().answer(block(1))
    await pass()
    expect([page.text(), asked.length]).toEqual(['data 1', 1])
    expect(latest.state?.loadedAt).toBeGreaterThanOrEqual(now)
    page.unmount()
  })

  test('shows nothing of other variables: neither their data, nor a late answer, nor beside an error', async () => {
    const { client, asked, last } = fakeClient()
    const { Shown } = shown()
    const page = mount(client, <Shown height={1} />)
    await pass()
    last().answer(block(1))
    await pass()
    page.show(<Shown height={2} />)
    await pass()
    const second = last()
    expect([page.text(), second.variables, asked.length]).toEqual(['loading', { height: 2 }, 2])
    page.show(<Shown height={3} />)
    await pass()
    expect(second.options.signal?.aborted).toBe(true)
    last().fail(refusal())
    await pass()
    second.answer(block(2))
    await pass()
    expect(page.text()).toBe('error BAD_USER_INPUT')
    page.show(<Shown height={4} />)
    await pass()
    const fourth = last()
    page.show(<Shown height={5} />)
    await pass()
    last().fail(refusal())
    await pass()
    fourth.fail(fourth.options.signal?.reason)
    await pass()
    expect(page.text()).toBe('error BAD_USER_INPUT')
    page.unmount()
  })

  test('an answer that came as the variables changed is not shown as theirs', async () => {
    const { client, asked, last } = fakeClient()
    const { Shown } = shown()
    const page = mount(client, <Shown height={1} />)
    await pass()
    last().answer(block(1))
    page.show(<Shown height={2} />)
    await pass()
    expect([page.text(), asked.length]).toEqual(['loading', 2])
    page.unmount()
  })

  test('a partial answer has its data, and its errors by their paths', async () => {
    const { client, last } = fakeClient()
    const { Shown, latest } = shown()
    const page = mount(client, <Shown height={1} retry={false} />)
    await pass()
    const list = { message: 'Late.', path: ['list', 3, 'name'] }
    const incomplete = { message: 'A chain is missing.', path: ['block'] }
    const root = { message: 'Gone.', path: ['gone'] }
    last().options.onPartial?.(errorOf([late(), list, incomplete, root]))
    last().answer({ ...block(1, null), gone: null, list: [] })
    await pass()
    const { state } = latest
    expect([page.text(), state?.error, state?.fieldErrors.length]).toEqual(['data 1', undefined, 4])
    expect(state?.rootError).toEqual(root)
    expect(state?.errorAt('block', 'hash')).toEqual(late())
    expect(state?.errorAt('block')).toEqual(late())
    expect(state?.errorAt('block', 'height')).toBeUndefined()
    expect([state?.errorAt('list', 'name'), state?.errorAt('list', 3), state?.errorAt('list', 2)]).toEqual([
      ...[list, list],
      undefined,
    ])
    page.unmount()
  })

  test('a lost connection is retried after four, eight and sixteen seconds, and when it is back', async () => {
    const { client, asked, last, become, listeners } = fakeClient()
    const { Shown, latest } = shown()
    const page = mount(client, <Shown height={1} />)
    await pass()
    for (const [count, wait] of [4_000, 8_000, 16_000].entries()) {
      last().fail(network())
      await pass()
      expect([page.text(), asked.length]).toEqual(['error NETWORK', count + 1])
      await pass(wait - 10)
      expect(asked.length).toBe(count + 1)
      await pass(20)
      expect(asked.length).toBe(count + 2)
    }
    last().fail(network())
    await pass()
    become('offline')
    become('live')
    await pass()
    expect(asked.length).toBe(5)
    last().answer(block(1))
    await pass()
    expect([page.text(), listeners.size]).toEqual(['data 1', 0])
    await pass(100_000)
    expect(asked.length).toBe(5)
    latest.state?.refetch()
    await pass()
    last().fail(network())
    await pass(4_100)
    expect([page.text(), asked.length]).toEqual(['data 1, error NETWORK', 7])
    page.unmount()
  })

  test('a field that failed is retried when the gateway says so, and a final fault never', async () => {
    const { client, asked, last } = fakeClient()
    const { Shown } = shown()
    const page = mount(client, <Shown height={1} />)
    await pass()
    last().options.onPartial?.(errorOf([late(30)]))
    last().answer(block(1, null))
    await pass(29_000)
    expect(asked.length).toBe(1)
    await pass(2_000)
    expect([page.text(), asked.length]).toEqual(['data 1', 2])
    last().fail(refusal())
    await pass(200_000)
    // What was read before stays beside the error.
    expect([page.text(), asked.length]).toEqual(['data 1, error BAD_USER_INPUT', 2])
    page.unmount()
  })

  test('with `retry: false` nothing is sent again by itself', async () => {
    const { client, asked, last, become } = fakeClient()
    const { Shown } = shown()
    const page = mount(client, <Shown height={1} retry={false} />)
    await pass()
    last().fail(network())
    await pass(100_000)
    become('offline')
    become('live')
    await pass()
    expect(asked.length).toBe(1)
    page.unmount()
  })

  test('refetch gives up a read in flight, and keeps the data until the next answer', async () => {
    const { client, asked, last } = fakeClient()
    const { Shown, latest } = shown()
    const page = mount(client, <Shown height={1} />)
    await pass()
    last().answer(block(1))
    await pass()
    latest.state?.refetch()
    await pass()
    const second = last()
    latest.state?.refetch()
    await pass()
    expect([second.options.signal?.aborted, page.text(), asked.length]).toEqual([true, 'data 1', 3])
    last().answer(block(7))
    await pass()
    expect(page.text()).toBe('data 7')
    page.unmount()
  })

  test('a read ends with its component, and with `skip` none begins', async () => {
    const { client, asked, last } = fakeClient()
    const { Shown } = shown()
    const page = mount(client, <Shown height={1} skip />)
    await pass()
    expect([page.text(), asked.length]).toEqual(['', 0])
    page.show(<Shown height={1} />)
    await pass()
    page.unmount()
    await pass(100_000)
    expect([last().options.signal?.aborted, asked.length]).toEqual([true, 1])
  })

  test('what was read is shown at once to who comes back, and to no user of another client', async () => {
    const { client, asked, last } = fakeClient()
    const other = fakeClient()
    const { Shown } = shown()
    const page = mount(client, <Shown height={1} key="first" />)
    await pass()
    last().answer(block(1))
    await pass()
    page.show(<Shown height={1} key="second" />)
    await pass()
    expect([page.text(), asked.length]).toEqual(['data 1', 2])
    last().answer(block(1))
    await pass()
    page.show(<Shown height={1} key="second" />, other.client)
    await pass()
    expect([page.text(), other.asked.length]).toEqual(['loading', 1])
    page.unmount()
  })

  test('the answers to forty queries are kept', async () => {
    const { client, last } = fakeClient()
    const { Shown } = shown()
    const page = mount(client, <Shown height={0} />)
    for (let height = 0; height <= 40; height++) {
      page.show(<Shown height={height} />)
      await pass()
      last().answer(block(height))
      await pass()
    }
    page.show(<Shown height={1} />)
    await pass()
    expect(page.text()).toBe('data 1')
    page.show(<Shown height={0} />)
    await pass()
    expect(page.text()).toBe('loading')
    page.unmount()
  })

  test('a server renders the wait, and sends nothing', async () => {
    const { client, asked } = fakeClient()
    const { Shown } = shown()
    const html = renderToString(
      <ClientProvider value={client}>
        <Shown height={1} />
      </ClientProvider>,
    )
    await pass(10_000)
    expect([html, asked.length]).toEqual(['loading', 0])
  })
})

test('useRetry repeats a read of another kind while a list lacks a chain', async () => {
  const { client } = fakeClient()
  const lacking = (code: string) => ({ list: [{ unavailableChains: [{ chainId: 'a-1', code }] }] })
  let retries = 0
  function Retried({ data }: { data: object }) {
    useRetry({ data }, () => retries++)
    return null
  }
  const page = mount(client, <Retried data={lacking('UPSTREAM_UNAVAILABLE')} />)
  // In StrictMode the first effect counts as an attempt.
  await pass(8_100)
  expect(retries).toBe(1)
  page.show(<Retried data={lacking('NOT_CONFIGURED')} />)
  await pass(100_000)
  expect(retries).toBe(1)
  page.unmount()
})

interface Page {
  readonly list: {
    readonly nodes: readonly ({ readonly id: number } | null)[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
  }
}

const listDocument = 'query List($name: String, $after: String) { list(name: $name, after: $after) { id } }'

const pageOf = (ids: readonly (number | null)[], hasNextPage = true): Page => ({
  list: {
    nodes: ids.map((id) => (id === null ? null : { id })),
    pageInfo: { hasNextPage, endCursor: `c${ids.at(-1)}` },
  },
})

describe('usePages', () => {
  function shownPages() {
    const latest: { list?: QueryPages<Page, { readonly id: number }>; query?: QueryState<Page> } = {}
    function Shown({ name }: { name: string }) {
      const query = useQuery<Page, { name: string }>(listDocument, { name })
      const list = usePages(query, {
        rowsOf: ({ list }) => list.nodes.map((node) => node && { ...node }),
        pageInfoOf: ({ list }) => list.pageInfo,
      })
      Object.assign(latest, { list, query })
      return `${list.rows.map(({ id }) => id).join(' ')}${list.hasMore ? ' …' : ''}`
    }
    return { Shown, latest }
  }

  test('reads pages on demand: one at a time, each row once, as the same object', async () => {
    const { client, asked, last } = fakeClient()
    const { Shown, latest } = shownPages()
    const page = mount(client, <Shown name="a" />)
    await pass()
    last().answer(pageOf([1, null, 2]))
    await pass()
    const [first] = latest.list?.rows ?? []
    const both = Promise.all([latest.list?.loadMore(), latest.list?.loadMore()])
    await pass()
    expect([page.text(), asked.length, last().variables]).toEqual(['1 2 …', 2, { name: 'a', after: 'c2' }])
    last().answer(pageOf([3], false))
    await both
    await pass()
    expect([page.text(), latest.list?.rows[0] === first]).toEqual(['1 2 3', true])
    await latest.list?.loadMore()
    expect(asked.length).toBe(2)
    page.unmount()
  })

  test('a page that fails can be read again, and says what it lacks', async () => {
    const { client, last } = fakeClient()
    const { Shown, latest } = shownPages()
    const page = mount(client, <Shown name="a" />)
    await pass()
    last().answer(pageOf([1]))
    await pass()
    const failed = latest.list?.loadMore().catch(({ code }) => code)
    await pass()
    last().fail(network())
    expect(await failed).toBe('NETWORK')
    await pass()
    const more = latest.list?.loadMore()
    await pass()
    last().options.onPartial?.(errorOf([late()]))
    last().answer(pageOf([2]))
    await more
    await pass()
    expect([page.text(), latest.list?.error?.code]).toEqual(['1 2 …', 'UPSTREAM_TIMEOUT'])
    page.unmount()
  })

  test('later pages end with their first page, also one in flight', async () => {
    const { client, asked, last } = fakeClient()
    const { Shown, latest } = shownPages()
    const page = mount(client, <Shown name="a" />)
    await pass()
    last().answer(pageOf([1]))
    await pass()
    const more = latest.list?.loadMore()
    await pass()
    last().answer(pageOf([2]))
    await more
    await pass()
    expect(page.text()).toBe('1 2 …')
    const given = latest.list?.loadMore()
    await pass()
    const inFlight = last()
    page.show(<Shown name="b" />)
    await pass()
    expect(inFlight.options.signal?.aborted).toBe(true)
    last().answer(pageOf([7]))
    await pass()
    expect([page.text(), asked.length]).toEqual(['7 …', 4])
    const next = latest.list?.loadMore()
    await pass()
    expect(asked.length).toBe(5)
    inFlight.fail(inFlight.options.signal?.reason)
    expect(await given).toBeUndefined()
    last().answer(pageOf([8], false))
    await next
    await pass()
    expect(page.text()).toBe('7 8')
    page.unmount()
  })
})
