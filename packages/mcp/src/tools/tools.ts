import type { Tool } from '../tool.ts'
import { accountActivity } from './accountActivity.ts'
import { accountOverview } from './accountOverview.ts'
import { chainStatus } from './chainStatus.ts'
import { quoteRoute } from './quoteRoute.ts'
import { search } from './search.ts'
import { tokenOrNft } from './tokenOrNft.ts'
import { transaction } from './transaction.ts'
import { transferStatus } from './transferStatus.ts'

/** The tools of every server. Agents should read about them in this order. */
export const tools: readonly Tool[] = [
  search,
  chainStatus,
  accountOverview,
  accountActivity,
  transaction,
  tokenOrNft,
  quoteRoute,
  transferStatus,
]
