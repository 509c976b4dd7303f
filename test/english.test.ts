import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { help } from '../src/app/config/help.ts'
import { pageFiles } from './support/docBlocks.ts'

const root = join(import.meta.dirname, '..')

/** Phrases that were replaced by plain English. Matched as whole words, in any case. */
const bannedPhrases = [
  'a look at',
  'as it may',
  'asked together',
  'begins behind',
  'behind the point',
  'comes about',
  'crossing by',
  'did not become so',
  'does not say',
  'does not tell',
  'ends ahead of',
  'goes on',
  'in the way of',
  'left alone for a moment',
  'no way to be asked',
  'null where',
  'one command at a time',
  'one who',
  'proves nothing',
  'ran to its end',
  'stand behind',
  'stands behind',
  'tells what',
  'there is no flag',
  'this gateway has given',
  'this graph has given',
  'untold',
  'what is to go',
  'what is watched',
  'whatever brought it',
  'who holds',
  'who owns',
  'words of strangers',
]

const banned = new RegExp(`\\b(?:${bannedPhrases.join('|')})\\b`, 'gi')

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('src', file))

/** Text on one line, so that a phrase is also found where a line or a comment is wrapped. */
const unwrap = (text: string): string => text.replace(/\s*\n\s*(?:\/\/|\*(?!\/)|#)?\s*/g, ' ')

test.each([
  ['the help', help],
  ...['schema.graphql', ...pageFiles, 'CONTRIBUTING.md', 'CHANGELOG.md', ...sources].map((file): [string, string] => [
    file,
    readFileSync(join(root, file), 'utf8'),
  ]),
])('%s has no banned phrase', (_name, text) => {
  expect(unwrap(text).match(banned) ?? []).toEqual([])
})

test('a banned phrase is found across the lines of a comment', () => {
  expect(unwrap('/** The page\n * Begins\n * behind it. */').match(banned)).toEqual(['Begins behind'])
  expect(unwrap('// The indexer does not\n  // say.').match(banned)).toEqual(['does not say'])
})
