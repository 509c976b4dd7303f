/** A record of a list, and the number that its page keys are made of. */
export interface Row {
  readonly number: number
  readonly height: number
  readonly json: object
}

const hexOf = (number: number) => number.toString(16).padStart(64, '0').toUpperCase()

/** A block with a number of transactions, as an indexer sends it. */
export const blockRow = (height: number, txCount: number): Row => ({
  number: height,
  height,
  json: {
    ...{ height: String(height), hash: hexOf(height), timestamp: '2026-01-01T00:00:00Z' },
    ...{ gas_used: '1', gas_wanted: '2', tx_count: String(txCount), total_fee: [] },
  },
})

/** A Cosmos transaction, as an indexer sends it. */
export const transactionRow = (sequence: number, height: number): Row => ({
  number: sequence,
  height,
  json: {
    ...{ txhash: hexOf(sequence), height: String(height), code: 0, gas_wanted: '2', gas_used: '1' },
    ...{ timestamp: '2026-01-01T00:00:00Z', events: [] },
  },
})

const evmHashOf = (number: number) => `0x${hexOf(number).toLowerCase()}`

/** The receipt of an EVM transaction, as an indexer sends it. */
export const receiptRow = (sequence: number, height: number): Row => ({
  number: sequence,
  height,
  json: {
    ...{ transactionHash: evmHashOf(sequence), transactionIndex: '0x0', blockNumber: height },
    ...{ gasUsed: '0x1', cumulativeGasUsed: '0x1', effectiveGasPrice: '0x1', status: '0x1' },
    ...{ type: '0x2', from: '', to: '', contractAddress: null, blockHash: '', logsBloom: '' },
  },
})

/** A call of the EVM transaction with that receipt, as an indexer sends it. */
export const callRow = (sequence: number, receipt: Row, index: number): Row => ({
  number: sequence,
  height: receipt.height,
  json: {
    ...{ height: receipt.height, hash: evmHashOf(receipt.number), index, parent_index: index - 1 },
    ...{ type: 'CALL', from: '', to: '', input: '0x', output: '0x' },
    ...{ value: '0x00', gas: '0x1', gasUsed: '0x1' },
  },
})
