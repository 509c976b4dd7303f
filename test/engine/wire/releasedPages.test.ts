import { expect, test } from 'vitest'
import { z } from 'zod'
import { get } from '../../../src/engine/upstream/request.ts'
import { RequestScope } from '../../../src/engine/upstream/requestScope.ts'
import { pageOf } from '../../../src/engine/wire/decode.ts'
import { SignalSource } from '../../../src/kit/clock/signal.ts'
import { scopeSources } from '../../support/scopeSources.ts'
import { startClient } from '../../support/upstreamClient.ts'

const sources = scopeSources()
const openScope = () => new RequestScope(new SignalSource(), sources)

test('closing a scope releases only its own pages', async () => {
  const numbers = pageOf('numbers', z.object({ number: z.number() }))
  const listed = [{ number: 1 }, { number: 2 }]
  const { upstream, sent, attempts } = startClient()
  const request = get('/numbers', numbers, { isFinal: true })
  const [first, second, third] = [openScope(), openScope(), openScope()]
  const reads = [first.fetch(upstream, request), second.fetch(upstream, request)]
  attempts[0]?.answer({ numbers: listed, pagination: { next_key: null } })
  const [mine, other] = await Promise.all(reads)
  expect(mine?.items).toEqual(listed)
  first.close()
  expect(() => mine?.items.length).toThrow(TypeError)
  expect(other?.items).toEqual(listed)
  second.close()
  const passing = await third.fetch(upstream, request, true)
  third.close()
  expect([passing?.items, sent]).toEqual([listed, ['GET /numbers']])
})
