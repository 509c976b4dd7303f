import { expect, test } from 'vitest'
import { loadOptional } from '../../src/kit/loadOptional.ts'

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
