import { expect, test } from 'vitest'
import { pageFiles, readPage } from '../support/docBlocks.ts'

/** The text of the block of a page that has a file name. */
const fileOf = (page: string, file: string): string | undefined =>
  readPage(page)
    .split(new RegExp(`^\`\`\`\\w+ ${file}\n`, 'm'))[1]
    ?.split('```')[0]

/** The configurations of GraphQL Code Generator on a page. */
const codegenOf = (page: string): string[] =>
  [...readPage(page).matchAll(/```ts[^\n]*\n(.*?)```/gs)]
    .map(([, program = '']) => program)
    .filter((program) => program.includes('CodegenConfig'))

test('the infinite scroll list of the React guide equals examples/frontends', () => {
  const shown = fileOf('docs/guides/react.md', 'src/Activity.tsx')
  expect(shown).toBe(readPage('examples/frontends/Activity.tsx'))
})

test.each(['cosmos.mjs', 'evm.mjs', 'send.mjs'])('%s of the guide to sign equals examples/send', (file) => {
  expect(fileOf('docs/guides/sign.md', file)).toBe(readPage(`examples/send/${file}`))
})

test('the guide to sign installs the versions of examples/send', () => {
  const { dependencies } = JSON.parse(readPage('examples/send/package.json'))
  const installed =
    readPage('docs/guides/sign.md')
      .match(/^npm install --save-exact .*$/gm)
      ?.join(' ') ?? ''
  for (const [name, version] of Object.entries(dependencies)) expect(installed).toContain(` ${name}@${version}`)
})

test('no command of a page waits for somebody who says yes', () => {
  const commands = pageFiles.flatMap((page) => readPage(page).match(/^npm (create|init) .*$/gm) ?? [])
  expect(commands.length).toBeGreaterThanOrEqual(3)
  for (const command of commands) expect(command).toMatch(/^npm (create|init) --yes /)
})

test('each page about generated code has a complete strict configuration', () => {
  const pages = ['react', 'apollo', 'urql'].map((name) => `docs/guides/${name}.md`)
  for (const page of [...pages, 'packages/client/README.md']) {
    const [config, ...others] = codegenOf(page)
    expect(others, page).toEqual([])
    expect(config, page).toContain(`import { scalars } from '@portolan/client/config'`)
    expect(config, page).toMatch(/useTypeImports: true, scalars, strictScalars: true/)
    expect(config, page).toContain('@portolan/client/codegen')
    // Apollo Client and graphcache read the parsed document.
    expect(/documentMode: 'string'/.test(config ?? ''), page).toBe(!/apollo|urql/.test(page))
  }
})
