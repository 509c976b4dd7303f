import type { Words } from './standardWords.ts'

/** The sentences for messages of the modules of Initia and its rollups. */
export const initiaWords: Words = {
  SEND: {
    'initia.distribution.v1.MsgDepositValidatorRewardsPool':
      'Sent|send| {coins:amount} to the rewards pool[ of {validator:validator_address}]',
    'initia.reward.v1.MsgFundCommunityPool': 'Sent|send| {coins:amount} of the reward pool to the community pool',
    'opinit.opchild.v1.MsgSpendFeePool': 'Sent|send| {coins:amount} of the fee pool[ to {to:recipient}]',
  },
  SWAP: {
    'opinit.opchild.v1.MsgMigrateToken': 'Exchanged|exchange| {coins:amount} for the IBC form of the same token',
  },
  TOKEN_MINT: {
    'miniwasm.tokenfactory.v1.MsgMint': 'Minted|mint| {coins:amount}[ for {to:mint_to_address}]',
  },
  TOKEN_BURN: {
    'miniwasm.tokenfactory.v1.MsgBurn': 'Burned|burn| {coins:amount}',
  },
  TOKEN_UPDATE: {
    'initia.bank.v1.MsgSetDenomMetadata': 'Described|describe| a token[: {id:metadata.base}]',
    'miniwasm.tokenfactory.v1.MsgCreateDenom': 'Created|create| a token[: {id:subdenom}]',
    'miniwasm.tokenfactory.v1.MsgChangeAdmin': 'Changed|change| the admin[ of token {id:denom}][ to {to:new_admin}]',
    'miniwasm.tokenfactory.v1.MsgSetDenomMetadata': 'Described|describe| a token[: {id:metadata.base}]',
    'miniwasm.tokenfactory.v1.MsgSetBeforeSendHook':
      'Set|set| a contract that is called[ when {id:denom} is sent][: {contract:cosmwasm_address}]',
  },
  CONTRACT_DEPLOY: {
    'miniwasm.wasmextension.v1.MsgStoreCodeAdmin': 'Uploaded|upload| code for contracts',
  },
  VALIDATOR_UPDATE: {
    'initia.mstaking.v1.MsgCreateValidator':
      'Created|create| a validator[ named {text:description.moniker}][: {validator:validator_address}][ with {coins:amount}]',
    'initia.mstaking.v1.MsgEditValidator': 'Edited|edit| a validator[: {validator:validator_address}]',
    'opinit.opchild.v1.MsgAddValidator':
      'Added|add| a validator of the rollup[ named {text:moniker}][: {validator:validator_address}]',
    'opinit.opchild.v1.MsgRemoveValidator':
      'Removed|remove| a validator of the rollup[: {validator:validator_address}]',
    'opinit.opchild.v1.MsgUpdateSequencer':
      'Changed|change| the sequencer of the rollup[: {validator:sequencer_address}]',
  },
  INTERCHAIN_ACCOUNT: {
    'initia.intertx.v1.MsgRegisterAccount':
      'Registered|register| an account on another chain[, over IBC {id:connection_id}]',
    'initia.intertx.v1.MsgSubmitTx':
      'Sent|send| a message to its account on another chain[, over IBC {id:connection_id}]',
  },
  ROLLUP_UPDATE: {
    'opinit.opchild.v1.MsgSetBridgeInfo': 'Set|set| the bridge of the rollup[: {bridge:bridge_info.bridge_id}]',
    'opinit.opchild.v1.MsgRegisterMigrationInfo':
      'Set|set| how a token of the rollup moves to IBC[: {id:migration_info.denom}]',
    'opinit.ophost.v1.MsgCreateBridge': 'Created|create| the bridge of a rollup',
    'opinit.ophost.v1.MsgDisableBridge': 'Disabled|disable|[ bridge {bridge:bridge_id}] of a rollup',
    'opinit.ophost.v1.MsgRegisterAttestorSet': 'Set|set| the attestors[ of bridge {bridge:bridge_id}]',
    'opinit.ophost.v1.MsgAddAttestor': 'Added|add| an attestor[ of bridge {bridge:bridge_id}]',
    'opinit.ophost.v1.MsgRemoveAttestor': 'Removed|remove| an attestor[ of bridge {bridge:bridge_id}]',
    'opinit.ophost.v1.MsgRegisterMigrationInfo':
      'Set|set| how a token of a rollup moves to IBC[, over bridge {bridge:migration_info.bridge_id}]',
    'opinit.ophost.v1.MsgUpdateBatchInfo': 'Changed|change| who submits batches[ of bridge {bridge:bridge_id}]',
    'opinit.ophost.v1.MsgUpdateChallenger':
      'Changed|change| the challenger[ of bridge {bridge:bridge_id}][ to {to:challenger}]',
    'opinit.ophost.v1.MsgUpdateChannelId': 'Changed|change| the IBC channel[ of bridge {bridge:bridge_id}]',
    'opinit.ophost.v1.MsgUpdateFinalizationPeriod':
      'Changed|change| how long withdrawals wait[ on bridge {bridge:bridge_id}]',
    'opinit.ophost.v1.MsgUpdateMetadata': 'Changed|change| the description[ of bridge {bridge:bridge_id}]',
    'opinit.ophost.v1.MsgUpdateOracleConfig':
      'Changed|change| whether the rollup gets prices[ over bridge {bridge:bridge_id}]',
    'opinit.ophost.v1.MsgUpdateProposer':
      'Changed|change| the proposer[ of bridge {bridge:bridge_id}][ to {to:new_proposer}]',
  },
  CHAIN_UPDATE: {
    'ibc.applications.perm.v1.MsgUpdateAdmin':
      'Changed|change| the admin[ of IBC {channel:channel_id}][ to {to:admin}]',
    'ibc.applications.perm.v1.MsgUpdatePermissionedRelayers':
      'Changed|change| who can relay over IBC[ {channel:channel_id}]',
    'initia.gov.v1.MsgActivateEmergencyProposal': 'Activated|activate| an emergency proposal[: {id:proposal_id}]',
    'initia.gov.v1.MsgAddEmergencySubmitters': 'Allowed|allow| accounts to submit emergency proposals',
    'initia.gov.v1.MsgRemoveEmergencySubmitters': 'Forbade|forbid| accounts to submit emergency proposals',
    'initia.ibchooks.v1.MsgUpdateACL': 'Changed|change| whether IBC packets can call a contract[: {contract:address}]',
    'initia.move.v1.MsgWhitelist': 'Allowed|allow| staking of the tokens of a pool[: {address:metadata_lp}]',
    'initia.move.v1.MsgDelist': 'Forbade|forbid| staking of the tokens of a pool[: {address:metadata_lp}]',
    'initia.move.v1.MsgWhitelistStaking': 'Allowed|allow| staking of the tokens of a pool[: {address:metadata_lp}]',
    'initia.move.v1.MsgDelistStaking': 'Forbade|forbid| staking of the tokens of a pool[: {address:metadata_lp}]',
    'initia.move.v1.MsgWhitelistGasPrice': 'Allowed|allow| fees in the tokens of a pool[: {address:metadata_lp}]',
    'initia.move.v1.MsgDelistGasPrice': 'Forbade|forbid| fees in the tokens of a pool[: {address:metadata_lp}]',
    'opinit.opchild.v1.MsgAddBridgeExecutor': 'Allowed|allow| accounts to execute the bridge',
    'opinit.opchild.v1.MsgRemoveBridgeExecutor': 'Forbade|forbid| accounts to execute the bridge',
    'opinit.opchild.v1.MsgAddFeeWhitelistAddresses': 'Allowed|allow| accounts to send transactions without fees',
    'opinit.opchild.v1.MsgRemoveFeeWhitelistAddresses': 'Forbade|forbid| accounts to send transactions without fees',
    'opinit.opchild.v1.MsgUpdateAdmin': 'Changed|change| the admin of the rollup[ to {to:new_admin}]',
    'opinit.opchild.v1.MsgUpdateMinGasPrices': 'Changed|change| the lowest gas prices',
  },
}
