import { allSteps, type Steps } from '#kit/steps'
import { readEventLogs } from '../../src/schema/indexer/evm/eventLogs.ts'
import { linkBlock as readLinks } from '../../src/schema/indexer/evm/linkBlock.ts'
import { coinTransfersOf as readTransfers } from '../../src/schema/indexer/transaction/coinTransfers.ts'

/** A reader that does all its steps at once. */
const atOnce =
  <Input extends readonly unknown[], T>(read: (...input: Input) => Steps<T>) =>
  (...input: Input): T =>
    allSteps(read(...input))

export const linkBlock = atOnce(readLinks)
export const coinTransfersOf = atOnce(readTransfers)
/** The logs in events that can be read. */
export const eventLogsOf = (...input: Parameters<typeof readEventLogs>) =>
  atOnce(readEventLogs)(...input).filter((log) => log !== null)
