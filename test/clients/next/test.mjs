// The app router of Next.js, as it builds a page with the hooks of the package: no server is needed for this.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const html = readFileSync('.next/server/app/index.html', 'utf8')

/** The text of the element with this id. */
const textOf = (id) => new RegExp(`<p id="${id}">([^<]*)</p>`).exec(html)?.[1]

test('a component of the server reads the graph within Suspense', () => {
  assert.equal(textOf('block'), 'HASH-OF-THE-BLOCK')
})

test('a hook of TanStack Query reads the graph within Suspense', () => {
  assert.equal(textOf('found'), '0 results')
})

test('live hooks render their state before the first event', () => {
  assert.equal(textOf('blocks'), 'connecting, 0 blocks, live')
  assert.equal(textOf('transfer'), 'connecting')
})
