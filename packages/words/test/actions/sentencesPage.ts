import { actionKinds, titleOf } from '../../src/actions/kinds.ts'
import { actionsOfRow, type Row, summariesOf } from './row.ts'

const introduction = `# Actions in words

The words of \`actions\` for transactions: \`kind\`, \`title\` and \`summary\`. The tables are made of the tests in
\`packages/words/test/actions\`. After a change, \`npx vitest run packages/words/test/actions -u\` writes them again.

- A sentence names nothing but what the transaction shows. A function of a contract has its own name,
  such as \`0x1::dex::swap_script\` or \`0xa9059cbb\`, unless its arguments and the events agree on what it did.
- Amounts have the symbol and the decimal places of the router's list of assets. Without that list they are
  in base units.
- Long addresses are cut in the middle. The fields of the action have them whole.
- A validator has its name once the gateway has read a block that it proposed. No request is sent for it. Until then
  the sentence has its address, as \`validatorAddress\` always does.
- Texts of chains have no control characters, no marks of direction and a limited length. Names that can be taken
  for words are in quotation marks.
`

const line = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const table = (title: string, rows: Readonly<Record<string, Row>>): string =>
  [
    `## ${title}`,
    '',
    line('Case', 'Messages', 'Kind', 'Title', 'Summary'),
    line('---', '---', '---', '---', '---'),
    ...Object.entries(rows).flatMap(([name, row]) => {
      const messages = row.messages.map(({ type }) => `\`${type.split('.').at(-1)}\``).join(', ')
      const summaries = summariesOf(row)
      return actionsOfRow(row).map((action, index) =>
        line(name, messages, `\`${action.kind}\``, titleOf(action), summaries[index] ?? ''),
      )
    }),
  ].join('\n')

const kinds = [
  '## Kinds',
  '',
  line('Kind', 'Meaning'),
  line('---', '---'),
  ...Object.entries(actionKinds).map(([kind, { description }]) => line(`\`${kind}\``, description)),
].join('\n')

/** The page of all kinds, and of the sentences of these tables. */
export const sentencesPage = (tables: Readonly<Record<string, Readonly<Record<string, Row>>>>): string =>
  `${[introduction, kinds, ...Object.entries(tables).map(([title, rows]) => table(title, rows))].join('\n\n').replace('\n\n\n', '\n\n')}\n`
