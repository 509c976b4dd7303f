import type { ActionKind } from '../../src/actions/kinds.ts'
import { abroad, alice, bob, coin, contract, failed, init, type Row, row, short, validator } from './row.ts'

const [a, b] = [alice.bech32, bob.bech32]
const toBob = short(b)

/** A row without events. */
const plain = (
  type: string,
  fields: Readonly<Record<string, unknown>>,
  kind: ActionKind,
  summary: string,
  parts: Row['actions'][number]['parts'],
): Row => row(type, fields, [], kind, summary, parts)

const vesting = { from_address: a, to_address: b, amount: [init('5000000')] }
const rewards = { delegator_address: a, withdraw_address: b }
const noWay = { address: null, channel: null, opInitBridgeId: null }

/** Messages whose sentences have their fields alone. */
export const standardRows: Readonly<Record<string, Row>> = {
  'a vesting account': plain(
    'cosmos.vesting.v1beta1.MsgCreateVestingAccount',
    { ...vesting, end_time: '1800000000' },
    'SEND',
    `Sent 5 INIT to ${toBob} in a new vesting account`,
    { actor: a, counterparty: b, amounts: [coin('uinit', 5_000_000n)] },
  ),
  'a vesting account that was not created': failed(
    'cosmos.vesting.v1beta1.MsgCreateVestingAccount',
    vesting,
    'SEND',
    `Tried to send 5 INIT to ${toBob} in a new vesting account`,
    { actor: a },
  ),
  'a vesting account with periods': plain(
    'cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount',
    {
      ...{ from_address: a, to_address: b },
      vesting_periods: [
        { length: '1', amount: [init('2000000')] },
        { length: '1', amount: [init('3000000')] },
      ],
    },
    'SEND',
    `Sent 5 INIT to ${toBob} in a new vesting account`,
    { amounts: [coin('uinit', 5_000_000n)] },
  ),
  'coins for the community pool': plain(
    'cosmos.distribution.v1beta1.MsgFundCommunityPool',
    { depositor: a, amount: [init('5000000')] },
    'SEND',
    'Sent 5 INIT to the community pool',
    { actor: a, amounts: [coin('uinit', 5_000_000n)] },
  ),
  'an account for rewards': plain(
    'cosmos.distribution.v1beta1.MsgSetWithdrawAddress',
    rewards,
    'ACCOUNT_UPDATE',
    `Set the account that gets rewards to ${toBob}`,
    { actor: a, counterparty: b },
  ),
  'a payee of a relayer': plain(
    'ibc.applications.fee.v1.MsgRegisterCounterpartyPayee',
    { relayer: a, counterparty_payee: abroad, channel_id: 'channel-9' },
    'ACCOUNT_UPDATE',
    `Set the account on another chain that gets fees of a relayer to ${short(abroad)} over IBC channel-9`,
    { actor: a, remote: { ...noWay, address: abroad, channel: 'channel-9' } },
  ),
  'a vote in a group': plain(
    'cosmos.group.v1.MsgVote',
    { voter: a, proposal_id: '3', option: 'VOTE_OPTION_YES' },
    'VOTE',
    'Voted on proposal 3 of a group',
    { actor: a },
  ),
  'a proposal in a group': plain(
    'cosmos.group.v1.MsgSubmitProposal',
    { proposers: [a], group_policy_address: contract.bech32, title: 'Pay the crew' },
    'PROPOSE',
    `Submitted a proposal to a group: “Pay the crew”, for the policy ${short(contract.bech32)}`,
    { actor: a },
  ),
  'a cancelled proposal': plain(
    'cosmos.gov.v1.MsgCancelProposal',
    { proposer: a, proposal_id: '17' },
    'PROPOSAL_CANCEL',
    'Cancelled proposal 17',
    { actor: a, proposalId: '17' },
  ),
  'a validator released from jail': plain(
    'cosmos.slashing.v1beta1.MsgUnjail',
    { validator_addr: validator },
    'VALIDATOR_UPDATE',
    `Released a validator from jail: ${short(validator)}`,
    { validator },
  ),
  'a new validator': plain(
    'initia.mstaking.v1.MsgCreateValidator',
    {
      description: { moniker: 'Polaris' },
      validator_address: validator,
      amount: [init('5000000')],
    },
    'VALIDATOR_UPDATE',
    `Created a validator named “Polaris”: ${short(validator)} with 5 INIT`,
    { validator, amounts: [coin('uinit', 5_000_000n)] },
  ),
  'an interchain account': plain(
    'ibc.applications.interchain_accounts.controller.v1.MsgRegisterInterchainAccount',
    { owner: a, connection_id: 'connection-2' },
    'INTERCHAIN_ACCOUNT',
    'Registered an account on another chain, over IBC connection-2',
    { actor: a },
  ),
  'messages for an interchain account': plain(
    'ibc.applications.interchain_accounts.controller.v1.MsgSendTx',
    { owner: a, connection_id: 'connection-2' },
    'INTERCHAIN_ACCOUNT',
    'Sent messages to its account on another chain, over IBC connection-2',
    { actor: a },
  ),
  'an NFT of the SDK': plain(
    'cosmos.nft.v1beta1.MsgSend',
    { class_id: 'cats', id: '7', sender: a, receiver: b },
    'NFT_TRANSFER',
    `Sent NFT 7 of cats to ${toBob}`,
    { counterparty: b, nfts: [{ collection: 'cats', tokenId: '7', objectAddress: null }] },
  ),
  'a new token': plain(
    'miniwasm.tokenfactory.v1.MsgCreateDenom',
    { sender: a, subdenom: 'sail' },
    'TOKEN_UPDATE',
    'Created a token: sail',
    { actor: a },
  ),
  'minted coins': plain(
    'miniwasm.tokenfactory.v1.MsgMint',
    { sender: a, amount: init('5000000'), mint_to_address: b },
    'TOKEN_MINT',
    `Minted 5 INIT for ${toBob}`,
    { actor: a, counterparty: b, amounts: [coin('uinit', 5_000_000n)] },
  ),
  'burnt coins': plain(
    'miniwasm.tokenfactory.v1.MsgBurn',
    { sender: a, amount: init('5000000') },
    'TOKEN_BURN',
    'Burned 5 INIT',
    { actor: a },
  ),
  'another admin of a contract': plain(
    'cosmwasm.wasm.v1.MsgUpdateAdmin',
    { sender: a, new_admin: b, contract: contract.bech32 },
    'CONTRACT_UPDATE',
    `Changed the admin of ${short(contract.bech32)} to ${toBob}`,
    { actor: a, counterparty: b, contract: contract.bech32 },
  ),
  'a Move function that governance calls': plain(
    'initia.move.v1.MsgGovExecuteJSON',
    { authority: b, sender: a, module_address: '0x1', module_name: 'coin', function_name: 'mint' },
    'CONTRACT_CALL',
    'Called 0x1::coin::mint',
    { actor: a },
  ),
  'another proposer of a rollup': plain(
    'opinit.ophost.v1.MsgUpdateProposer',
    { authority: a, bridge_id: '12', new_proposer: b },
    'ROLLUP_UPDATE',
    `Changed the proposer of bridge 12 to ${toBob}`,
    { actor: a, remote: { ...noWay, opInitBridgeId: '12' } },
  ),
  'settings of a module': plain(
    'cosmos.mint.v1beta1.MsgUpdateParams',
    { authority: a, params: {} },
    'CHAIN_UPDATE',
    'Updated the settings of the mint module',
    { actor: a },
  ),
  'an upgrade of the chain': plain(
    'cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
    { authority: a, plan: { name: 'v2', height: '700' } },
    'CHAIN_UPDATE',
    'Scheduled an upgrade of the chain: “v2” at height 700',
    { actor: a },
  ),
  'an IBC client that governance recovers': plain(
    'ibc.core.client.v1.MsgRecoverClient',
    { signer: a, subject_client_id: '07-tendermint-4' },
    'CHAIN_UPDATE',
    'Recovered an IBC client: 07-tendermint-4',
    { actor: a },
  ),
  'a message that no one knows': plain(
    'example.lantern.v1.MsgLight',
    { sender: a },
    'UNKNOWN',
    'Executed example.lantern.v1.MsgLight',
    { actor: a },
  ),
}
