import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { loadLibrary, renderPage } from '../../../src/server/graphiql/html.ts'
import { keepTabsOf, networkName } from '../../../src/server/graphiql/tabs.ts'

/** A browser that opens the page of several networks at one address. */
function openBrowser() {
  const kept = new Map<string, string>()
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  /** Opens the page. Returns the tabs that GraphiQL finds, and leaves others. */
  return (network: string, leaves: string) => {
    runInNewContext(keepTabsOf(network), { localStorage })
    const tabs = kept.get('graphiql:tabState')
    kept.set('graphiql:tabState', leaves)
    return tabs
  }
}

test('GraphiQL restores only the tabs of the same network', () => {
  const open = openBrowser()
  expect(open('a-1', 'tabs of a')).toBeUndefined()
  expect(open('a-1', 'more tabs of a')).toBe('tabs of a')
  expect(open('b-1 c-1', 'tabs of b and c')).toBeUndefined()
  expect(open('a-1', 'tabs of a')).toBe('more tabs of a')
  expect(open('b-1 c-1', '')).toBe('tabs of b and c')
})

test('tabs saved without a network name are dropped', () => {
  const kept = new Map([['graphiql:tabState', 'old']])
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  runInNewContext(keepTabsOf('a-1'), { localStorage })
  expect([...kept]).toEqual([['portolan:network', 'a-1']])
})

test('GraphiQL opens if localStorage is denied', () => {
  const getItem = () => {
    throw new Error('denied')
  }
  expect(() => runInNewContext(keepTabsOf('a-1'), { localStorage: { getItem } })).not.toThrow()
})

test('saved tabs are separated before GraphiQL reads them', async () => {
  const html = renderPage(await loadLibrary(), {
    tabs: [],
    network: 'a-1</script>',
    isSandbox: false,
    links: [],
  })
  expect(html.split(/<\/script/i)).toHaveLength(3)
  const [kept, rendered] = ['portolan:network', 'YogaGraphiQL.renderYogaGraphiQL('].map((text) =>
    html.lastIndexOf(text),
  )
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThan(rendered ?? 0)
})

test('networkName is the sorted chain ids', () => {
  expect(networkName(['b-1', 'a-1'])).toBe('a-1 b-1')
})
