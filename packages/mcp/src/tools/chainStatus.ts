import { z } from 'zod'
import { type Data, queryTool, rows } from '../tool.ts'

export const chainStatus = queryTool({
  name: 'chain_status',
  title: 'Status of the chains',
  description:
    'The chains that this gateway serves: id, name, virtual machine, height of the newest indexed block, its age and the time between blocks. Call it for the ids that other tools take.',
  input: z.object({}),
  output: z.object({ chains: rows }),
  document: `query McpChainStatus { chains {
  chainId prettyName vm isTestnet averageBlockTimeSeconds freshness { height ageSeconds timestamp }
} }`,
  read: ({ chains }) => ({
    result: {
      chains: chains.map(({ chainId, prettyName, vm, isTestnet, averageBlockTimeSeconds, freshness }: Data) => ({
        name: prettyName,
        chainId,
        vm,
        isTestnet,
        averageBlockTimeSeconds,
        height: freshness?.height,
        timestamp: freshness?.timestamp,
        ageSeconds: freshness?.ageSeconds,
      })),
    },
  }),
})
