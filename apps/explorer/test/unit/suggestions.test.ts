import { expect, test } from 'vitest'
import { assetsFor, byForm, chainsFor, collectionsFor, recentOf } from '../../src/app/suggestions.ts'

const chains = [
  { chainId: 'harbor-1', prettyName: 'Harbor' },
  { chainId: 'galley-1', prettyName: 'Galley' },
]
const hash = '82F15C4FB1E4A968B5F5F74298DE224C3FA5BC4D68ED00778222E5F6DCB5CA39'

test.each([
  ['1041', ['/block/harbor-1/1041', '/block/galley-1/1041']],
  ['#1041', ['/block/harbor-1/1041', '/block/galley-1/1041']],
  [hash, [`/search?q=${hash}`]],
  [`0x${hash}`, [`/search?q=0x${hash}`]],
  ['init1wllqcgh04444mr53tegtrkdlc970awqhddazg3', ['/address/init1wllqcgh04444mr53tegtrkdlc970awqhddazg3']],
  ['0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817', ['/address/0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817']],
  ['lantern', []],
  ['', []],
  ['galley-1/1041', ['/block/galley-1/1041']],
  ['galley 1041', ['/block/galley-1/1041']],
  ['Galley #1041', ['/block/galley-1/1041']],
  ['nowhere 1041', []],
  [`https://www.mintscan.io/initia/tx/${hash}?height=1041`, [`/search?q=${hash}`]],
  [
    'https://etherscan.io/address/0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817#tokentxns',
    ['/address/0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'],
  ],
  [
    'celatone.initia.xyz/interwoven-1/accounts/init1wllqcgh04444mr53tegtrkdlc970awqhddazg3',
    ['/address/init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'],
  ],
  ['https://example.com/about', []],
])('byForm suggests for %j the paths %j', (input, paths) => {
  expect(byForm(input, chains).map(({ href }) => href)).toEqual(paths)
})

test('chains are found by part of the name or id, in any case', () => {
  expect(chainsFor('ARB', chains).map(({ label }) => label)).toEqual(['Harbor'])
  expect(chainsFor('-1', chains)).toHaveLength(2)
  expect(chainsFor('none', chains)).toEqual([])
})

test('collections are suggested by their names, with their chains', () => {
  const chain = { chainId: 'galley-1', prettyName: 'Galley' }
  const found = collectionsFor(Array.from({ length: 7 }, (_, at) => ({ address: `0x${at}`, name: 'Sailors', chain })))
  expect(found).toHaveLength(5)
  expect(found[0]).toEqual({ kind: 'collection', label: 'Sailors', detail: 'Galley', href: '/collection/galley-1/0x0' })
})

test('native assets come first, and unlisted twins are not suggested', () => {
  const asset = (chainId: string, symbol: string, originLabel: string, isListed = true) => ({
    ...{ chainId, denom: `${chainId}/${symbol}`, symbol, originLabel, isListed },
    chain: { prettyName: chainId },
  })
  const found = assetsFor('init', [
    asset('b', 'INIT', 'from Harbor'),
    asset('a', 'INITX', 'native'),
    asset('h', 'INIT', 'native', false),
    asset('h', 'INIT', 'native'),
  ])
  expect(found.map(({ label, detail }) => `${label} ${detail}`)).toEqual([
    'INIT h · native',
    'INIT b · from Harbor',
    'INITX a · native',
  ])
  expect(found[0]?.href).toBe('/asset/h/h%2FINIT')
})

test('recentOf accepts only paths of the explorer', () => {
  const kept = (href: unknown) => recentOf(JSON.stringify([{ label: 'x', href }]))
  expect(kept('/chain/galley-1')).toEqual([{ kind: 'recent', label: 'x', detail: undefined, href: '/chain/galley-1' }])
  for (const href of ['//evil.example', 'https://evil.example', 'javascript:alert(1)', 7]) {
    expect(kept(href)).toEqual([])
  }
  expect(recentOf('nonsense')).toEqual([])
  expect(recentOf('{}')).toEqual([])
  expect(recentOf('[null, 7]')).toEqual([])
  expect(recentOf(null)).toEqual([])
})
