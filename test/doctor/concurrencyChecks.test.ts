import { expect, test } from 'vitest'
import { checkConcurrency } from '../../src/doctor/concurrencyChecks.ts'
import { createFindings } from '../../src/doctor/finding.ts'

/** Examines a service whose requests take so long by their number at once, and fail above some number. */
async function examined(
  millisecondsOf: (atOnce: number, sent: number) => number,
  { concurrency = 32, failsAbove = 100, failures = 100 } = {},
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
      const milliseconds = millisecondsOf(open, sent)
      if (open > failsAbove && failed < failures) failed += 1
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      return milliseconds
    },
  })
  return { findings: findings.all, sent }
}

test('a service with eight concurrent requests needs no setting', async () => {
  const { findings, sent } = await examined(() => 40)
  expect(sent).toBe(15)
  expect(findings).toEqual([
    {
      level: 'works',
      subject: 'concurrency',
      text: 'Latency 40 ms alone, 40 ms with 8 in flight. Your limit of 32 should be fine.',
    },
  ])
})

test('requests that queue lead to a smaller concurrency', async () => {
  const { findings, sent } = await examined((atOnce) => 200 * atOnce)
  // The round of four is sent three times, each beside one alone.
  expect(sent).toBe(17)
  expect(findings).toEqual([
    {
      level: 'limited',
      subject: 'concurrency',
      text: 'Latency 200 ms alone, 800 ms with 4 in flight. More than 2 wait for each other.',
      set: 'UPSTREAM_CONCURRENCY=a-1=2',
    },
  ])
})

test('after a refusal, no larger concurrency is tried', async () => {
  const { findings, sent } = await examined(() => 40, { failsAbove: 2 })
  expect(sent).toBe(17)
  expect(findings).toMatchObject(
    [
      { level: 'limited', set: 'UPSTREAM_CONCURRENCY=a-1=2', text: /4 requests at once, 4 failed/ },
    ].map((finding) => ({ ...finding, text: expect.stringMatching(finding.text) })),
  )
})

test('a service that fails for a single request has no finding', async () => {
  expect(await examined(() => 40, { failsAbove: 0 })).toEqual({ findings: [], sent: 1 })
})

test('no more concurrent requests are sent than configured', async () => {
  const { findings, sent } = await examined((atOnce) => 600 * atOnce, { concurrency: 2 })
  expect(sent).toBe(3)
  expect(findings).toMatchObject([
    { level: 'works', text: expect.stringContaining('Your limit of 2 ') },
  ])
})

test.each([
  // The first three requests at most are alone or two at once, and the round of four ends with the seventh.
  ['second', 7, 12, 'Measurement 2 of 3 differs'],
  ['third', 12, 17, 'Measurement 3 of 3 differs'],
])(
  'requests that queue, but not in the %s measurement, lead to no setting',
  async (_which, slowUntil, total, text) => {
    const { findings, sent } = await examined((atOnce, count) =>
      count <= slowUntil ? 200 * atOnce : 200,
    )
    expect(sent).toBe(total)
    expect(findings).toEqual([
      { level: 'limited', subject: 'concurrency', text: expect.stringContaining(text) },
    ])
  },
)

test('failures that are not repeated lead to no setting', async () => {
  const { findings } = await examined(() => 40, { failsAbove: 2, failures: 4 })
  expect(findings).toEqual([
    {
      level: 'limited',
      subject: 'concurrency',
      text: expect.stringMatching(/4 requests at once, 4 failed.*Measurement 2 of 3 differs/),
    },
  ])
})
