import { expect, test } from 'vitest'
import { checkConcurrency } from '../../src/doctor/concurrencyChecks.ts'
import { createFindings } from '../../src/doctor/finding.ts'

/** Examines a service whose requests take so long by their number at once, and fail above some number. */
async function examined(
  millisecondsOf: (atOnce: number) => number,
  { concurrency = 32, failsAbove = 100 } = {},
) {
  const findings = createFindings()
  let open = 0
  let sent = 0
  let failed = 0
  await checkConcurrency(findings, {
    ...{ service: 'a-1', concurrency, faults: () => failed },
    async ask() {
      open += 1
      sent += 1
      await new Promise((resolve) => setImmediate(resolve))
      const milliseconds = millisecondsOf(open)
      if (open > failsAbove) failed += 1
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      return milliseconds
    },
  })
  return { findings: findings.all, sent }
}

test('a service that serves eight requests at once fits what is set', async () => {
  const { findings, sent } = await examined(() => 40)
  expect(sent).toBe(15)
  expect(findings).toEqual([
    {
      level: 'works',
      subject: 'concurrency',
      text: 'One request alone took 40 ms, and 8 at once 40 ms each. The 32 at once that are set should fit.',
    },
  ])
})

test('requests that wait for each other lead to a smaller number', async () => {
  const { findings, sent } = await examined((atOnce) => 200 * atOnce)
  expect(sent).toBe(7)
  expect(findings).toEqual([
    {
      level: 'limited',
      subject: 'concurrency',
      text: 'One request alone took 200 ms, and 4 at once 800 ms each: more than 2 at once wait for each other.',
      set: 'UPSTREAM_CONCURRENCY=a-1=2',
    },
  ])
})

test('a service that refuses many at once is asked no more', async () => {
  const { findings, sent } = await examined(() => 40, { failsAbove: 2 })
  expect(sent).toBe(7)
  expect(findings).toMatchObject(
    [
      { level: 'limited', set: 'UPSTREAM_CONCURRENCY=a-1=2', text: /4 requests at once, 4 failed/ },
    ].map((finding) => ({ ...finding, text: expect.stringMatching(finding.text) })),
  )
})

test('a service that fails for one request alone has no finding', async () => {
  expect(await examined(() => 40, { failsAbove: 0 })).toEqual({ findings: [], sent: 1 })
})

test('no more are sent at once than are set', async () => {
  const { findings, sent } = await examined((atOnce) => 600 * atOnce, { concurrency: 2 })
  expect(sent).toBe(3)
  expect(findings).toMatchObject([{ level: 'works', text: expect.stringContaining('The 2 at') }])
})
