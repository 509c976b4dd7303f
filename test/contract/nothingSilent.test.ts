import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../support/property.ts'
import { type Data, type Request, startContractGateway } from './gateway.ts'
import { goldenEntries } from './golden.ts'

// README: a field is null if there is no such record, and if it could not be read, `errors` says why. So whatever a faulty
// upstream takes from an answer has an error at its path, or above it, or below it.

type Path = readonly (string | number)[]

/** Positions in a list, which depend on how it was read, and what says itself which chains are missing. */
const isBeside = (key: string) => /cursor$/i.test(key) || key === 'unavailableChains'

/** Paths at which the second answer lacks what the first one has. */
function lossesOf(before: Data, after: Data, path: Path = []): Path[] {
  if (before === null || before === undefined) return []
  if (after === null || after === undefined) return [path]
  if (typeof before !== 'object') return []
  if (Array.isArray(before) && after.length < before.length) return [path]
  return Object.keys(before)
    .filter((key) => !isBeside(key))
    .flatMap((key) => lossesOf(before[key], after[key], [...path, Array.isArray(before) ? Number(key) : key]))
}

const isWithin = (path: Path, other: Path): boolean => path.every((part, i) => i >= other.length || part === other[i])

/** The losses that no error of the answer explains. */
const silentLosses = (before: Data, after: Data): string[] =>
  lossesOf(before.data, after.data)
    .filter(
      (path) => !(after.errors ?? []).some((error: Data) => error.path === undefined || isWithin(path, error.path)),
    )
    .map((path) => path.join('.'))

/** The time at which the records of the documents are there, in milliseconds after the start. */
const age = 10 * 60_000

async function startAged() {
  const gateway = await startContractGateway()
  await gateway.advance(age)
  return gateway
}

const documents = Object.entries({ ...goldenEntries('fields'), ...goldenEntries('lists') }).filter(
  ([, { request, body }]) => body?.errors === undefined && !request.query?.startsWith('mutation'),
)

const services = ['galley-1', 'harbor-1', 'lantern-1', 'router']

type Faults = NonNullable<Request['faults']>

// Faults that are not tried again, so that no time passes: the rows of a list would be others. An empty object is none: it is how
// services write a list without records.
const faults: readonly Faults[number][2][] = [
  { kind: 'status', status: 500, body: 'internal' },
  { kind: 'status', status: 404, body: '404 page not found' },
  { kind: 'garbage', body: '<html></html>' },
]

test('what a faulty upstream takes from an answer is an error of that answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...services), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...faults),
      fc.uniqueArray(fc.nat({ max: documents.length - 1 }), { minLength: 15, maxLength: 15 }),
      async (failing, fault, chosen) => {
        await using healthy = await startAged()
        await using gateway = await startAged()
        const set: Faults = failing.map((service) => [service, '/', fault])
        for (const index of chosen) {
          const [name, entry] = documents[index] ?? []
          if (!entry) throw new Error('no document')
          const request = { ...entry.request, after: 0, isSlow: false }
          const { body } = await healthy.send(request)
          const answer = await gateway.send({ ...request, faults: set })
          const silent = silentLosses(body, answer.body)
          if (silent.length > 0) expect({ name, failing, fault, query: request.query, silent }).toBeUndefined()
        }
      },
    ),
    { numRuns: runs(6), endOnFailure: true },
  )
}, 120_000)
