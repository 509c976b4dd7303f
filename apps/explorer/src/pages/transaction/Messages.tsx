import type { QueryState } from '@portolan/client/react'
import type { CosmosPartsFragment, TransactionQuery } from '../../generated/graphql.ts'
import { ChainText } from '../../parts/ChainText.tsx'
import { Code } from '../../parts/Code.tsx'
import { Facts, Panel } from '../../parts/Panel.tsx'
import { Address } from '../../parts/recordLinks.tsx'
import { text } from '../../text.ts'
import { functionOf } from '../../values/contractWords.ts'
import { bytes, shortType } from '../../values/format.ts'
import { moveArg } from './moveArgs.ts'

/** The messages of a Cosmos transaction, and the events that they made. */
export function Messages({
  of: { messages, events },
  query,
}: {
  of: CosmosPartsFragment
  query: QueryState<TransactionQuery>
}) {
  return (
    <>
      <Panel title={text.messages} note={messages?.length} of={query}>
        {messages?.map(({ typeUrl, body }, index) => (
          <article class="message" key={index}>
            <h3 title={typeUrl}>
              <ChainText>{shortType(typeUrl)}</ChainText>
            </h3>
            <Facts
              rows={Object.entries(body ?? {}).map(
                ([name, value]) =>
                  [
                    name,
                    value !== '' &&
                      (name === 'args' && moveCalls.test(typeUrl) && isTexts(value) ? (
                        <MoveArgs of={value} key={name} />
                      ) : (
                        <Value of={value} key={name} />
                      )),
                  ] as const,
              )}
            />
          </article>
        ))}
      </Panel>
      <Panel title={text.events} note={events?.length} of={query}>
        <details>
          <summary>{text.eventsOf(events?.length ?? 0)}</summary>
          {events?.map(({ type, attributes }, index) => (
            <article class="message" key={index}>
              <h3>
                <ChainText>{type}</ChainText>
              </h3>
              <Facts
                rows={(attributes ?? []).map(
                  ({ key, value }) => [key, <ChainText key={key}>{value}</ChainText>] as const,
                )}
              />
            </article>
          ))}
        </details>
      </Panel>
    </>
  )
}

/** Messages whose arguments are bytes in base64. Those of the JSON forms are text. */
const moveCalls = /^\/?initia\.move\.v1\.Msg(Execute|Script)$/

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')

/** The arguments of a Move function as what their bytes say, and as they are in the message on demand. */
const MoveArgs = ({ of }: { of: readonly string[] }) => (
  <>
    <ol class="args">
      {of.map((arg, index) => (
        <li key={index} title={arg}>
          <Value of={moveArg(arg) ?? arg} />
        </li>
      ))}
    </ol>
    <details>
      <summary>{text.rawArgs}</summary>
      <code>{JSON.stringify(of)}</code>
    </details>
  </>
)

/** Call data of more than a word: the EVM and what it calls say more. */
const callData = /^0x[\da-f]{66,}$/i

/** A part of a message. Addresses are links, and call data is folded. */
function Value({ of }: { of: unknown }) {
  if (typeof of === 'string' && callData.test(of)) {
    return (
      <details>
        <summary>{[functionOf(of), bytes((of.length - 2) / 2)].filter(Boolean).join(' · ')}</summary>
        <Code>{of}</Code>
      </details>
    )
  }
  if (typeof of === 'string' && /^([a-z]{2,20}1[02-9ac-hj-np-z]{38,58}|0x[\da-fA-F]{40}|0x[\da-fA-F]{64})$/.test(of))
    return <Address value={of} />
  if (typeof of === 'string') return <ChainText>{of}</ChainText>
  return <code>{JSON.stringify(of)}</code>
}
