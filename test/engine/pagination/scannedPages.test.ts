import { expect, test } from 'vitest'
import { z } from 'zod'
import { List } from '../../../src/engine/pagination/list.ts'
import type { ListSource } from '../../../src/engine/pagination/source.ts'
import type { Upstream } from '../../../src/engine/upstream/client.ts'
import type { Requester } from '../../../src/engine/upstream/requester.ts'
import { RequestScope } from '../../../src/engine/upstream/requestScope.ts'
import { scopeSources } from '../../support/scopeSources.ts'

/** Reads the start of a list twice in one operation. Returns the owner of each upstream request. */
async function readTwice(filter: ListSource<number>['filter']): Promise<Requester[]> {
  const owners: Requester[] = []
  const page = { items: [1, 2, 3], nextKey: null, total: null }
  const upstream: Upstream = {
    service: 'evm-1',
    source: 'evm-1',
    async send(request, _signal, owner = { client: '' }) {
      owners.push(owner)
      return request.read(page, '')
    },
  }
  const scope = new RequestScope(new AbortController().signal, scopeSources())
  const source: ListSource<number> = {
    path: '/list',
    page: z.custom<typeof page>(),
    strategy: { kind: 'opaque' },
    total: 'none',
    filter,
  }
  const wanted = { count: 5, isForward: true, from: null } as const
  for (let read = 0; read < 2; read += 1) {
    await new List(scope, upstream, source, 'ASC').read(wanted)
  }
  return owners
}

test('returned pages are memoized in the operation, and scanned pages are not', async () => {
  expect(await readTwice(undefined)).toHaveLength(1)
  expect(await readTwice((item) => item > 2)).toHaveLength(2)
})

test('requests for scanned pages are heavy', async () => {
  const isHeavy = async (filter: ListSource<number>['filter']) =>
    (await readTwice(filter)).map((owner) => owner.isHeavy ?? false)
  expect(await isHeavy(undefined)).toEqual([false])
  expect(await isHeavy((item) => item > 2)).toEqual([true, true])
})
