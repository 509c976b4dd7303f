import type { QueryState } from '@portolan/client/react'
import { links } from '../../app/links.ts'
import type { EvmPartsFragment, TransactionQuery } from '../../generated/graphql.ts'
import { ChainText } from '../../parts/ChainText.tsx'
import { Code } from '../../parts/Code.tsx'
import { DecodedLog } from '../../parts/DecodedLog.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { Facts, Panel } from '../../parts/Panel.tsx'
import { Address } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { text } from '../../text.ts'
import { functionOf, hasAmount } from '../../values/contractWords.ts'
import { bytes, count, exact, scaled } from '../../values/format.ts'

/** Writes the amount of a log in whole units, if a transfer of its token has the same. */
const amountIn =
  (transfers: EvmPartsFragment['tokenTransfers'], log: NonNullable<EvmPartsFragment['logs']>[number]) =>
  (value: string): string => {
    const same =
      hasAmount(log.topics) &&
      transfers?.find(({ amount, contract }) => amount === value && contract.address === log.account.address)
    if (!same || same.formattedAmount == null) return count(value)
    return `${exact(same.formattedAmount)} ${same.asset?.symbol ?? ''}`
  }

/** How the EVM ran a transaction: the receipt, the logs, and the calls inside. */
export function EvmPanels({ of, query }: { of: EvmPartsFragment; query: QueryState<TransactionQuery> }) {
  const { chain, internalTransactions: calls } = of
  const asset = chain.evmFeeAsset
  const value = (wei: string | null | undefined) =>
    wei && `${exact(scaled(wei, asset?.decimals ?? 18))} ${asset?.symbol ?? ''}`
  return (
    <>
      <Panel title="EVM" of={query}>
        <Facts
          rows={[
            [text.to, of.to ? <Address value={of.to.address} hasCopy /> : undefined],
            [
              text.createdContract,
              of.createdContract && (
                <a href={links.contract(of.chain.chainId, of.createdContract.address)}>
                  <MiddleEllipsis value={of.createdContract.address} />
                </a>
              ),
            ],
            [text.value, value(of.value)],
            [text.gasPrice, value(of.effectiveGasPrice)],
            [text.gas, of.evmGasUsed && count(of.evmGasUsed)],
            [text.functionName, of.input && functionOf(of.input)],
            [text.nonce, of.nonce != null && count(of.nonce)],
            [
              text.input,
              of.input && of.input !== '0x' && (
                <details key="input">
                  <summary>{bytes((of.input.length - 2) / 2)}</summary>
                  <Code>{of.input}</Code>
                </details>
              ),
            ],
          ]}
        />
      </Panel>
      <FaultNote error={query.errorAt('transaction', 'evmTransaction', 'logs')} />
      {of.logs && of.logs.length > 0 && (
        <Panel title={text.logs} note={of.logs.length} of={query}>
          {of.logs.map((log, index) => (
            <article class="message" key={index}>
              <h3>
                <a href={links.contract(of.chain.chainId, log.account.address)}>
                  <MiddleEllipsis value={log.account.address} />
                </a>
              </h3>
              <DecodedLog of={log} amountOf={amountIn(of.tokenTransfers, log)} />
              <details>
                <summary>{text.rawLog}</summary>
                <Facts
                  rows={[
                    ...(log.topics ?? []).map(
                      (topic, at) => [`topic ${at}`, <ChainText key={topic}>{topic}</ChainText>] as const,
                    ),
                    ['data', log.data !== '0x' && <ChainText>{log.data}</ChainText>],
                  ]}
                />
              </details>
            </article>
          ))}
        </Panel>
      )}
      <FaultNote error={query.errorAt('transaction', 'evmTransaction', 'internalTransactions')} />
      {calls && calls.nodes.length > 0 && (
        <Panel title={text.calls} note={calls.totalCount ?? undefined} of={query}>
          <Table
            caption={text.calls}
            heads={[text.type, text.from, text.to, { number: text.value }, { number: text.gas }]}
            isStacked
          >
            {calls.nodes.map((call) =>
              call ? (
                <tr key={call.index}>
                  <td>{call.kind}</td>
                  <td class="wide">
                    <Address value={call.from?.address} />
                  </td>
                  <td class="wide">
                    <Address value={call.to?.address} />
                  </td>
                  <td class="number">{(call.value !== '0' && value(call.value)) || text.none}</td>
                  <td class="number">{call.gasUsed ? count(call.gasUsed) : text.none}</td>
                </tr>
              ) : null,
            )}
          </Table>
        </Panel>
      )}
    </>
  )
}
