import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

/** The same for words that are right elsewhere: "only" is meant by the one, and "this many" by the other. */
const bannedPatterns = [
  '(?:emits?|has|have|knows?|pays?) (?:its |the |their )?\\w+ alone',
  '(?:after|at most|costs|lists|of|until there are|with) so (?:few|long|many)(?= (?!\\w+ that))',
]

const banned = new RegExp(`\\b(?:${[...bannedPhrases, ...bannedPatterns].join('|')})\\b`, 'gi')

/** All folders of sources but `apps/explorer`, which is not plain enough yet. */
const folders = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(root, parent))
    .filter((name) => name !== 'explorer')
    .map((name) => join(parent, name, 'src')),
)
const sources = ['src', ...folders.filter((folder) => existsSync(join(root, folder)))].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('generated'))
    .map((file) => join(folder, file)),
)

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

test('"alone" and "so many" are found only where another word is meant', () => {
  const found = (text: string) => text.match(banned) ?? []
  expect(found('A failed transaction has its fee alone.')).toEqual(['has its fee alone'])
  expect(found('Resolves after so many milliseconds.')).toEqual(['after so many'])
  expect(found('It is known by its log alone, and has been left alone.')).toEqual([])
  expect(found('One of so many parts that none is read.')).toEqual([])
})
