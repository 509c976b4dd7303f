import '../graph/scalars.ts'
import './evmCarrier.ts'
import './evmInternalTransaction.ts'
import './evmTransactionList.ts'
import './nft.ts'
import './richList.ts'
import './serviceLimits.ts'
import { builder } from '../graph/builder.ts'

/** The whole graph. Importing a subject's file adds it. */
export const schema = builder.toSchema()
