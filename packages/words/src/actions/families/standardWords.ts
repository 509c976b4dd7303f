import type { ActionKind } from '../kinds.ts'
import type { Template } from '../template.ts'

/** Sentences by kind and type. */
export type Words = Partial<Record<ActionKind, Readonly<Record<string, Template>>>>

/** The sentences for messages of the Cosmos SDK, ibc-go and wasmd. */
export const cosmosWords: Words = {
  SEND: {
    'cosmos.distribution.v1beta1.MsgFundCommunityPool': 'Sent|send| {coins:amount} to the community pool',
    'cosmos.distribution.v1beta1.MsgCommunityPoolSpend':
      'Sent|send| {coins:amount} of the community pool[ to {to:recipient}]',
    'cosmos.distribution.v1beta1.MsgDepositValidatorRewardsPool':
      'Sent|send| {coins:amount} to the rewards pool[ of {validator:validator_address}]',
    'cosmos.protocolpool.v1.MsgFundCommunityPool': 'Sent|send| {coins:amount} to the community pool',
    'cosmos.protocolpool.v1.MsgCommunityPoolSpend':
      'Sent|send| {coins:amount} of the community pool[ to {to:recipient}]',
    'cosmos.vesting.v1beta1.MsgCreateVestingAccount':
      'Sent|send| {coins:amount}[ to {to:to_address}] in a new vesting account',
    'cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount':
      'Sent|send| {periods:vesting_periods}[ to {to:to_address}] in a new vesting account',
    'cosmos.vesting.v1beta1.MsgCreatePermanentLockedAccount':
      'Sent|send| {coins:amount}[ to {to:to_address}] in a new account that stays locked',
    'ibc.applications.fee.v1.MsgPayPacketFee': 'Paid|pay| relayers[ over IBC {channel:source_channel_id}]',
    'ibc.applications.fee.v1.MsgPayPacketFeeAsync': 'Paid|pay| relayers[ over IBC {channel:packet_id.channel_id}]',
  },
  CLAIM_REWARDS: {
    'cosmos.protocolpool.v1.MsgClaimBudget': 'Claimed|claim| a budget of the community pool',
    'cosmos.protocolpool.v1.MsgWithdrawContinuousFund': 'Claimed|claim| coins of a fund of the community pool',
  },
  VOTE: {
    'cosmos.group.v1.MsgVote': 'Voted|vote|[ on proposal {id:proposal_id}] of a group',
  },
  PROPOSE: {
    'cosmos.group.v1.MsgSubmitProposal':
      'Submitted|submit| a proposal to a group[: {text:title}][, for the policy {to:group_policy_address}]',
  },
  PROPOSAL_CANCEL: {
    'cosmos.group.v1.MsgWithdrawProposal': 'Cancelled|cancel|[ proposal {id:proposal_id}] of a group',
  },
  BRIDGE_OUT: {
    'ibc.core.channel.v2.MsgSendPacket': 'Sent|send| a packet over IBC[ {channel:source_client}]',
  },
  NFT_TRANSFER: {
    'cosmos.nft.v1beta1.MsgSend': 'Sent|send| {nft:id}[ to {to:receiver}]',
  },
  TOKEN_BURN: {
    'cosmos.bank.v1beta1.MsgBurn': 'Burned|burn| {coins:amount}',
  },
  CONTRACT_DEPLOY: {
    'cosmwasm.wasm.v1.MsgStoreAndInstantiateContract': 'Created|create| a contract[ named {text:label}] from new code',
  },
  CONTRACT_CALL: {
    'cosmwasm.wasm.v1.MsgSudoContract': 'Called|call| a contract with special rights[: {contract:contract}]',
    'cosmwasm.wasm.v1.MsgStoreAndMigrateContract': 'Migrated|migrate|[ contract {contract:contract}] to new code',
  },
  CONTRACT_UPDATE: {
    'cosmwasm.wasm.v1.MsgUpdateAdmin': 'Changed|change| the admin[ of {contract:contract}][ to {to:new_admin}]',
    'cosmwasm.wasm.v1.MsgClearAdmin': 'Removed|remove| the admin[ of {contract:contract}]',
    'cosmwasm.wasm.v1.MsgUpdateContractLabel': 'Renamed|rename|[ contract {contract:contract}][ to {text:new_label}]',
    'cosmwasm.wasm.v1.MsgUpdateInstantiateConfig': 'Changed|change| who can create contracts[ from code {id:code_id}]',
  },
  AUTHZ_REVOKE: { 'cosmos.authz.v1beta1.MsgRevokeAll': 'Revoked|revoke| all authorizations' },
  ACCOUNT_UPDATE: {
    'cosmos.distribution.v1beta1.MsgSetWithdrawAddress':
      'Set|set| the account that gets rewards[ to {to:withdraw_address}]',
    'cosmos.group.v1.MsgCreateGroup': 'Created|create| a group of accounts',
    'cosmos.group.v1.MsgCreateGroupPolicy': 'Created|create| a policy[ of group {id:group_id}]',
    'cosmos.group.v1.MsgCreateGroupWithPolicy': 'Created|create| a group of accounts with a policy',
    'cosmos.group.v1.MsgExec': 'Executed|execute|[ proposal {id:proposal_id}] of a group',
    'cosmos.group.v1.MsgLeaveGroup': 'Left|leave| a group of accounts[: {id:group_id}]',
    'cosmos.group.v1.MsgUpdateGroupAdmin': 'Changed|change| the admin[ of group {id:group_id}][ to {to:new_admin}]',
    'cosmos.group.v1.MsgUpdateGroupMembers': 'Changed|change| the members[ of group {id:group_id}]',
    'cosmos.group.v1.MsgUpdateGroupMetadata': 'Changed|change| the description[ of group {id:group_id}]',
    'cosmos.group.v1.MsgUpdateGroupPolicyAdmin':
      'Changed|change| the admin[ of group policy {address:group_policy_address}][ to {to:new_admin}]',
    'cosmos.group.v1.MsgUpdateGroupPolicyDecisionPolicy':
      'Changed|change| the rules[ of group policy {address:group_policy_address}]',
    'cosmos.group.v1.MsgUpdateGroupPolicyMetadata':
      'Changed|change| the description[ of group policy {address:group_policy_address}]',
    'ibc.applications.fee.v1.MsgRegisterPayee':
      'Set|set| the account that gets fees of a relayer[ to {to:payee}][ over IBC {channel:channel_id}]',
    'ibc.applications.fee.v1.MsgRegisterCounterpartyPayee':
      'Set|set| the account on another chain that gets fees of a relayer[ to {remote:counterparty_payee}][ over IBC {channel:channel_id}]',
  },
  VALIDATOR_UPDATE: {
    'cosmos.slashing.v1beta1.MsgUnjail': 'Released|release| a validator from jail[: {validator:validator_addr}]',
    'cosmos.staking.v1beta1.MsgCreateValidator':
      'Created|create| a validator[ named {text:description.moniker}][: {validator:validator_address}][ with {coins:value}]',
    'cosmos.staking.v1beta1.MsgEditValidator': 'Edited|edit| a validator[: {validator:validator_address}]',
    'cosmos.staking.v1beta1.MsgRotateConsPubKey':
      'Changed|change| the key of a validator[: {validator:validator_address}]',
  },
  INTERCHAIN_ACCOUNT: {
    'ibc.applications.gmp.v1.MsgSendCall':
      'Sent|send| a call over IBC[ {channel:source_client}][ to {remote:receiver}]',
    'ibc.applications.interchain_accounts.controller.v1.MsgRegisterInterchainAccount':
      'Registered|register| an account on another chain[, over IBC {id:connection_id}]',
    'ibc.applications.interchain_accounts.controller.v1.MsgSendTx':
      'Sent|send| messages to its account on another chain[, over IBC {id:connection_id}]',
    'ibc.applications.interchain_accounts.host.v1.MsgModuleQuerySafe': 'Queried|query| modules of the chain',
  },
  CHAIN_UPDATE: {
    'cosmos.authz.v1beta1.MsgPruneExpiredGrants': 'Removed|remove| expired authorizations',
    'cosmos.bank.v1beta1.MsgSetSendEnabled': 'Changed|change| which coins can be sent',
    'cosmos.circuit.v1.MsgAuthorizeCircuitBreaker': 'Allowed|allow|[ {to:grantee}] to disable messages of the chain',
    'cosmos.circuit.v1.MsgTripCircuitBreaker': 'Disabled|disable| messages of the chain',
    'cosmos.circuit.v1.MsgResetCircuitBreaker': 'Enabled|enable| messages of the chain again',
    'cosmos.crisis.v1beta1.MsgVerifyInvariant':
      'Checked|check| an invariant[ of the {id:invariant_module_name} module]',
    'cosmos.evidence.v1beta1.MsgSubmitEvidence': 'Submitted|submit| evidence of misbehaviour',
    'cosmos.feegrant.v1beta1.MsgPruneAllowances': 'Removed|remove| expired fee allowances',
    'cosmos.gov.v1.MsgExecLegacyContent': 'Executed|execute| a proposal[: {text:content.title}]',
    'cosmos.gov.v1.MsgSudoExec': 'Executed|execute| a message by governance',
    'cosmos.gov.v1.MsgUpdateMessageParams': 'Updated|update| the settings of proposals[ with {id:msg_url}]',
    'cosmos.protocolpool.v1.MsgSubmitBudgetProposal':
      'Created|create| a budget of the community pool[ for {to:recipient_address}]',
    'cosmos.protocolpool.v1.MsgCreateContinuousFund':
      'Created|create| a fund of the community pool[ for {to:recipient}]',
    'cosmos.protocolpool.v1.MsgCancelContinuousFund':
      'Cancelled|cancel| a fund of the community pool[ for {to:recipient}]',
    'cosmos.upgrade.v1beta1.MsgSoftwareUpgrade':
      'Scheduled|schedule| an upgrade of the chain[: {text:plan.name}][ at height {id:plan.height}]',
    'cosmos.upgrade.v1beta1.MsgCancelUpgrade': 'Cancelled|cancel| the upgrade of the chain',
    'cosmwasm.wasm.v1.MsgAddCodeUploadParamsAddresses': 'Allowed|allow| accounts to upload code for contracts',
    'cosmwasm.wasm.v1.MsgRemoveCodeUploadParamsAddresses': 'Forbade|forbid| accounts to upload code for contracts',
    'cosmwasm.wasm.v1.MsgPinCodes': 'Pinned|pin| code for contracts in memory',
    'cosmwasm.wasm.v1.MsgUnpinCodes': 'Unpinned|unpin| code for contracts from memory',
    'ibc.applications.rate_limiting.v1.MsgAddRateLimit':
      'Limited|limit| transfers over IBC[ {channel:channel_or_client_id}][ of {id:denom}]',
    'ibc.applications.rate_limiting.v1.MsgUpdateRateLimit':
      'Changed|change| the limit of transfers over IBC[ {channel:channel_or_client_id}][ of {id:denom}]',
    'ibc.applications.rate_limiting.v1.MsgRemoveRateLimit':
      'Removed|remove| the limit of transfers over IBC[ {channel:channel_or_client_id}][ of {id:denom}]',
    'ibc.applications.rate_limiting.v1.MsgResetRateLimit':
      'Reset|reset| the limit of transfers over IBC[ {channel:channel_or_client_id}][ of {id:denom}]',
    'ibc.core.client.v1.MsgRecoverClient': 'Recovered|recover| an IBC client[: {id:subject_client_id}]',
    'ibc.core.client.v1.MsgIBCSoftwareUpgrade':
      'Scheduled|schedule| an upgrade of the chain and its IBC clients[: {text:plan.name}]',
    'ibc.core.client.v1.MsgDeleteClientCreator': 'Removed|remove| the creator of an IBC client[: {id:client_id}]',
    'ibc.core.client.v2.MsgUpdateClientConfig': 'Updated|update| the settings of an IBC client[: {id:client_id}]',
    'ibc.lightclients.wasm.v1.MsgStoreCode': 'Uploaded|upload| code for IBC clients',
    'ibc.lightclients.wasm.v1.MsgRemoveChecksum': 'Removed|remove| code for IBC clients',
    'ibc.lightclients.wasm.v1.MsgMigrateContract': 'Migrated|migrate| an IBC client[: {id:client_id}]',
  },
}

/** Modules whose settings their `MsgUpdateParams` changes, by the names they have in words. */
export const settings: Readonly<Record<string, string>> = {
  'cosmos.auth.v1beta1': 'account',
  'cosmos.bank.v1beta1': 'bank',
  'cosmos.consensus.v1': 'consensus',
  'cosmos.crisis.v1beta1': 'crisis',
  'cosmos.distribution.v1beta1': 'distribution',
  'cosmos.gov.v1': 'governance',
  'cosmos.mint.v1beta1': 'mint',
  'cosmos.protocolpool.v1': 'community pool',
  'cosmos.slashing.v1beta1': 'slashing',
  'cosmos.staking.v1beta1': 'staking',
  'cosmwasm.wasm.v1': 'Wasm',
  'ibc.applications.interchain_accounts.controller.v1': 'interchain account',
  'ibc.applications.interchain_accounts.host.v1': 'interchain account',
  'ibc.applications.nft_transfer.v1': 'NFT transfer',
  'ibc.applications.transfer.v1': 'IBC transfer',
  'ibc.core.channel.v1': 'IBC channel',
  'ibc.core.client.v1': 'IBC client',
  'ibc.core.connection.v1': 'IBC connection',
  'initia.distribution.v1': 'distribution',
  'initia.dynamicfee.v1': 'dynamic fee',
  'initia.gov.v1': 'governance',
  'initia.ibchooks.v1': 'IBC hook',
  'initia.move.v1': 'Move',
  'initia.mstaking.v1': 'staking',
  'initia.reward.v1': 'reward',
  'minievm.evm.v1': 'EVM',
  'miniwasm.tokenfactory.v1': 'token factory',
  'opinit.opchild.v1': 'rollup',
  'opinit.ophost.v1': 'rollup bridge',
}
