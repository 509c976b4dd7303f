import { expect, test } from 'vitest'
import { readCommand } from '../../../src/app/config/commandLine.ts'

interface Sources {
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: readonly string[]
  readonly file?: string
}

const advice = 'Remove it: operations are always compiled.'

const sources: readonly (readonly [form: string, sources: Sources, said: string])[] = [
  ['a variable', { env: { COMPILE_OPERATIONS: 'false' } }, 'COMPILE_OPERATIONS is no longer a setting.'],
  ['a flag', { flags: ['--compile-operations=false'] }, '--compile-operations is no longer a setting.'],
  ['a flag with a word', { flags: ['--compile-operations', 'false'] }, '--compile-operations is no longer a setting.'],
  ['a key', { file: '{"compileOperations": false}' }, 'a.json: compileOperations is no longer a setting.'],
]

test.each(sources)('%s that was a setting is refused, with what to do', (_, { env = {}, flags = [], file }, said) => {
  const problems: string[] = []
  const config = file === undefined ? [] : ['--config', 'a.json']
  readCommand(['--sandbox', ...config, ...flags], { env, readFile: () => file ?? '', problems })
  expect(problems).toEqual([expect.stringContaining(`${said} ${advice}`)])
})
