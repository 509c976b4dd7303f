import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../src')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))

/** An expression between tags that shows a name, and what stands before it. Attributes and templates are none. */
const shown = /(\S*)\s*(?<![=$]){[^{}<>():;,]*\b(?:prettyName|symbol|moniker|collectionName)\b[^{}<>():;,]*}/g

test('names chosen by strangers are isolated from the text direction around them', () => {
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(shown)].map(([name, before = '']) => ({
      name: `${file}: ${name}`,
      // An element has no place in the option of a list.
      isIsolated: /<ChainText>$|^dir="auto">$/.test(before),
    })),
  )
  expect(found.length).toBeGreaterThan(15)
  expect(found.filter(({ isIsolated }) => !isIsolated)).toEqual([])
})
