import type { BlockFragment } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { count } from '../values/format.ts'
import { Height, Proposer } from './recordLinks.tsx'
import { Table } from './Table.tsx'
import { Time } from './Time.tsx'

export const BlockTable = ({ rows, chainId }: { rows: readonly BlockFragment[]; chainId: string }) => (
  <Table caption={text.blocks} heads={[{ number: text.height }, { number: text.txs }, text.proposer, text.age]}>
    {rows.map((block) => (
      <tr key={block.height}>
        <td class="number">
          <Height chainId={chainId} value={block.height} />
        </td>
        <td class="number">{count(block.transactionCount)}</td>
        <td>
          <Proposer of={block.proposer} />
        </td>
        <td>
          <Time value={block.timestamp} />
        </td>
      </tr>
    ))}
  </Table>
)
