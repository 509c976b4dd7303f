import { expect, test } from 'vitest'
import { redisFeature } from '../../src/engine/redis/loadRedis.ts'
import { openTracing, tracingFeature } from '../../src/engine/telemetry/tracing/tracing.ts'
import { loadOptional } from '../../src/kit/loadOptional.ts'
import { readPage } from '../support/docBlocks.ts'
import { recordLog } from '../support/gatewayLog.ts'

const feature = { name: 'REDIS_URL', packages: ['ioredis@6', 'other@1'] }

test('missing libraries give a message with the install command', async () => {
  const error = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  await expect(loadOptional(feature, () => Promise.reject(error))).rejects.toThrow(
    'REDIS_URL needs packages that are not installed. Run npm install ioredis@6 other@1 beside portolan.',
  )
})

test('other errors of libraries are passed on unchanged', async () => {
  const error = new Error('it broke')
  await expect(loadOptional(feature, () => Promise.reject(error))).rejects.toBe(error)
})

test('the install commands name each optional peer, in a version of its range', () => {
  const { peerDependencies } = JSON.parse(readPage('package.json'))
  const named = [...tracingFeature.packages, ...redisFeature.packages].map((text) => text.split(/(?<=.)@/))
  expect(named.map(([name]) => name)).toEqual(Object.keys(peerDependencies))
  for (const [name = '', version] of named)
    expect(peerDependencies[name].slice(1)).toMatch(new RegExp(`^${version}\\.`))
})

test('without its libraries, tracing is off, and the log has one line that says what to install', async () => {
  const { log, lines } = recordLog()
  const error = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  expect(await openTracing(env, log, () => Promise.reject(error))).toBeUndefined()
  const said = expect.stringMatching(
    /^No traces: OpenTelemetry needs packages that are not installed. Run npm install @opentelemetry\/api@1 /,
  )
  expect(lines).toEqual([expect.objectContaining({ level: 40, msg: said })])
  expect(JSON.stringify(lines)).not.toContain('stack')
})
