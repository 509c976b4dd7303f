import { event } from '../../../sandbox/src/world/events.ts'
import { bytesOf, toBech32 } from '../../src/addresses/bytes.ts'
import { alice, bob, carol, coin, failed, init, nextValidator, type Row, row, short, usdc, validator } from './row.ts'

const bank = 'cosmos.bank.v1beta1'
const staking = 'initia.mstaking.v1'
const distribution = 'cosmos.distribution.v1beta1'
const gov = 'cosmos.gov.v1'
const authz = 'cosmos.authz.v1beta1'
const feegrant = 'cosmos.feegrant.v1beta1'

const toBob = short(bob.bech32)
const toValidator = short(validator)

const sent = { from_address: alice.bech32, to_address: bob.bech32, amount: [init('12000000')] }
const delegated = {
  delegator_address: alice.bech32,
  validator_address: validator,
  amount: [init('12000000')],
}
const parties = { granter: alice.bech32, grantee: bob.bech32 }

const day = '2027-01-31T00:00:00Z'
const fives = [init('5000000')]
const allowed = { spend_limit: fives, expiration: day }

/** What authorizations allow: the words, the type, its fields and the end. */
const limits: readonly (readonly [string, string, Readonly<Record<string, unknown>>, string?])[] = [
  ['send up to 5 INIT until 2027-01-31', `/${bank}.SendAuthorization`, { spend_limit: fives }, day],
  [
    'send up to 5 INIT to 2 accounts',
    `/${bank}.SendAuthorization`,
    { spend_limit: fives, allow_list: ['init1a', 'init1b'] },
  ],
  [
    'undelegate up to 5 INIT at 1 validator',
    `/${staking}.StakeAuthorization`,
    {
      max_tokens: init('5000000'),
      authorization_type: 'AUTHORIZATION_TYPE_UNDELEGATE',
      allow_list: { address: ['initvaloper1'] },
    },
  ],
  [
    'send up to 5 INIT over IBC channel-3',
    '/ibc.applications.transfer.v1.TransferAuthorization',
    { allocations: [{ source_channel: 'channel-3', spend_limit: fives }] },
  ],
  [
    `call ${short(bob.bech32)} with up to 5 INIT until 2027-01-31`,
    '/cosmwasm.wasm.v1.ContractExecutionAuthorization',
    { grants: [{ contract: bob.bech32, limit: { '@type': '/x.MaxFundsLimit', amounts: fives } }] },
    day,
  ],
  ['execute messages under FooAuthorization', '/foo.v1.FooAuthorization', {}],
]

/** What fee allowances allow. */
const allowances: readonly (readonly [string, unknown])[] = [
  [' of up to 5 INIT until 2027-01-31', { '@type': '/x.BasicAllowance', ...allowed }],
  [
    ' of up to 5 INIT, up to 5 INIT a day until 2027-01-31',
    {
      '@type': '/x.PeriodicAllowance',
      basic: allowed,
      period: '86400s',
      period_spend_limit: fives,
    },
  ],
  [
    ' of up to 5 INIT until 2027-01-31 for 2 types of messages',
    {
      '@type': '/x.AllowedMsgAllowance',
      allowance: { '@type': '/x.BasicAllowance', ...allowed },
      allowed_messages: ['/a', '/b'],
    },
  ],
]

/** Transactions of modules that every Cosmos chain has. */
export const cosmosRows: Readonly<Record<string, Row>> = {
  'coins sent': row(`${bank}.MsgSend`, sent, [], 'SEND', `Sent 12 INIT to ${toBob}`, {
    actor: alice.bech32,
    counterparty: bob.bech32,
    amounts: [coin('uinit', 12_000_000n)],
  }),
  'coins not sent': failed(`${bank}.MsgSend`, sent, 'SEND', `Tried to send 12 INIT to ${toBob}`, {
    actor: alice.bech32,
    isSuccessful: false,
  }),
  'several coins, that of the chain among the last': row(
    `${bank}.MsgSend`,
    {
      from_address: alice.bech32,
      to_address: bob.bech32,
      amount: [...['A', 'B', 'C'].map((path) => ({ denom: `ibc/${path}`, amount: '1' })), init('500000')],
    },
    [],
    'SEND',
    `Sent 0.5 INIT, 1 base unit of ibc/A, 1 base unit of ibc/B and 1 more to ${toBob}`,
    { actor: alice.bech32 },
  ),
  'a delegation that pays out its rewards': row(
    `${staking}.MsgDelegate`,
    delegated,
    [event('coin_received', { receiver: alice.bech32, amount: '776583uinit' })],
    'STAKE',
    `Delegated 12 INIT to ${toValidator}, got 0.776583 INIT of rewards`,
    { received: [coin('uinit', 776_583n)] },
  ),
  'a message that nobody knows, of a validator': row(
    'foo.v1.MsgUnjailAgain',
    { validator_address: validator },
    [],
    'UNKNOWN',
    'Executed foo.v1.MsgUnjailAgain',
    { actor: toBech32(bytesOf(validator) ?? '', 'init') },
  ),
  'two coins sent': row(
    `${bank}.MsgSend`,
    { ...sent, amount: [{ denom: usdc, amount: '1' }, init('500000')] },
    [],
    'SEND',
    `Sent 0.5 INIT and 0.000001 USDC to ${toBob}`,
    { amounts: [coin(usdc, 1n), coin('uinit', 500_000n)] },
  ),
  'a coin that no asset list knows': row(
    `${bank}.MsgSend`,
    { ...sent, amount: [{ denom: 'ufoo', amount: '77' }] },
    [],
    'SEND',
    `Sent 77 base units of ufoo to ${toBob}`,
    {},
  ),
  'five coins sent': row(
    `${bank}.MsgSend`,
    {
      ...sent,
      amount: ['ua1', 'ub1', 'uc1', 'ud1', 'ue1'].map((denom) => ({ denom, amount: '1' })),
    },
    [],
    'SEND',
    `Sent 1 base unit of ua1, 1 base unit of ub1, 1 base unit of uc1 and 2 more to ${toBob}`,
    {},
  ),
  'a coin that cannot be read': row(
    `${bank}.MsgSend`,
    { ...sent, amount: [init('5'), init('-1')] },
    [],
    'SEND',
    `Sent coins to ${toBob}`,
    { amounts: [] },
  ),
  'a message without fields': row(`${bank}.MsgSend`, {}, [], 'SEND', 'Sent coins', { actor: null }),
  'coins to several accounts': row(
    `${bank}.MsgMultiSend`,
    {
      inputs: [{ address: alice.bech32, coins: [init('3000000')] }],
      outputs: [{ address: bob.bech32 }, { address: carol.bech32 }],
    },
    [],
    'MULTI_SEND',
    'Sent 3 INIT to 2 accounts',
    { actor: alice.bech32, amounts: [coin('uinit', 3_000_000n)] },
  ),
  'several coins to one of two accounts': row(
    `${bank}.MsgMultiSend`,
    {
      inputs: [{ address: alice.bech32, coins: [init('3000000')] }],
      outputs: [{ address: bob.bech32 }, { address: bob.hex }, { address: carol.bech32 }],
    },
    [],
    'MULTI_SEND',
    'Sent 3 INIT to 2 accounts',
    { actor: alice.bech32, amounts: [coin('uinit', 3_000_000n)] },
  ),
  'several coins to one account': row(
    `${bank}.MsgMultiSend`,
    {
      inputs: [{ address: alice.bech32, coins: [init('3000000')] }],
      outputs: [{ address: bob.bech32 }, { address: bob.hex }],
    },
    [],
    'MULTI_SEND',
    `Sent 3 INIT to ${toBob}`,
    { actor: alice.bech32, amounts: [coin('uinit', 3_000_000n)] },
  ),
  delegation: row(`${staking}.MsgDelegate`, delegated, [], 'STAKE', `Delegated 12 INIT to ${toValidator}`, {
    actor: alice.bech32,
    validator,
    amounts: [coin('uinit', 12_000_000n)],
  }),
  'delegation in the module of the SDK': row(
    'cosmos.staking.v1beta1.MsgDelegate',
    { ...delegated, amount: init('12000000') },
    [],
    'STAKE',
    `Delegated 12 INIT to ${toValidator}`,
    { amounts: [coin('uinit', 12_000_000n)] },
  ),
  'failed delegation': failed(
    `${staking}.MsgDelegate`,
    delegated,
    'STAKE',
    `Tried to delegate 12 INIT to ${toValidator}`,
    { validator },
  ),
  undelegation: row(`${staking}.MsgUndelegate`, delegated, [], 'UNSTAKE', `Undelegated 12 INIT from ${toValidator}`, {
    validator,
  }),
  'cancelled undelegation': row(
    `${staking}.MsgCancelUnbondingDelegation`,
    delegated,
    [],
    'STAKE',
    `Cancelled the unbonding of 12 INIT from ${toValidator}`,
    { validator },
  ),
  redelegation: row(
    `${staking}.MsgBeginRedelegate`,
    {
      delegator_address: alice.bech32,
      validator_src_address: validator,
      validator_dst_address: nextValidator,
      amount: [init('12000000')],
    },
    [],
    'REDELEGATE',
    `Redelegated 12 INIT from ${toValidator} to ${short(nextValidator)}`,
    { validator: nextValidator },
  ),
  'claimed rewards': row(
    `${distribution}.MsgWithdrawDelegatorReward`,
    { delegator_address: alice.bech32, validator_address: validator },
    [event('withdraw_rewards', { amount: `1500000uinit,20${usdc}`, validator })],
    'CLAIM_REWARDS',
    `Claimed 1.5 INIT and 0.00002 USDC of rewards from ${toValidator}`,
    { actor: alice.bech32, received: [coin('uinit', 1_500_000n), coin(usdc, 20n)] },
  ),
  'rewards in a form that is not known': row(
    `${distribution}.MsgWithdrawDelegatorReward`,
    { delegator_address: alice.bech32, validator_address: validator },
    [event('withdraw_rewards', { amount: '[{"denom":"uinit"}]', validator })],
    'CLAIM_REWARDS',
    `Claimed rewards from ${toValidator}`,
    { received: [] },
  ),
  'claimed commission': row(
    `${distribution}.MsgWithdrawValidatorCommission`,
    { validator_address: validator },
    [event('withdraw_commission', { amount: '9000000uinit' })],
    'CLAIM_REWARDS',
    `Claimed 9 INIT of commission as validator ${toValidator}`,
    { validator, received: [coin('uinit', 9_000_000n)] },
  ),
  vote: row(
    `${gov}.MsgVote`,
    { proposal_id: '16', voter: alice.bech32, option: 'VOTE_OPTION_NO_WITH_VETO' },
    [],
    'VOTE',
    'Voted no with veto on proposal 16',
    { actor: alice.bech32, proposalId: '16' },
  ),
  'vote with an option that is not known': row(
    `${gov}.MsgVote`,
    { proposal_id: '16', voter: alice.bech32, option: 'VOTE_OPTION_SPAM' },
    [],
    'VOTE',
    'Voted on proposal 16',
    {},
  ),
  'vote with an option that all objects have': row(
    `${gov}.MsgVote`,
    { proposal_id: '16', voter: alice.bech32, option: 'toString' },
    [],
    'VOTE',
    'Voted on proposal 16',
    {},
  ),
  'weighted vote': row(
    `${gov}.MsgVoteWeighted`,
    { proposal_id: '16', voter: alice.bech32, options: [{}, {}] },
    [],
    'VOTE',
    'Voted for 2 options on proposal 16',
    { proposalId: '16' },
  ),
  proposal: row(
    `${gov}.MsgSubmitProposal`,
    { proposer: alice.bech32, title: 'Raise “the” gas limit', initial_deposit: [init('5')] },
    [event('submit_proposal', { proposal_id: '17' })],
    'PROPOSE',
    "Submitted proposal 17: “Raise 'the' gas limit”",
    { actor: alice.bech32, proposalId: '17', amounts: [coin('uinit', 5n)] },
  ),
  'deposit for a proposal': row(
    `${gov}.MsgDeposit`,
    { depositor: alice.bech32, proposal_id: '17', amount: [init('2000000')] },
    [],
    'PROPOSAL_DEPOSIT',
    'Deposited 2 INIT for proposal 17',
    { actor: alice.bech32, proposalId: '17' },
  ),
  authorization: row(
    `${authz}.MsgGrant`,
    {
      ...parties,
      grant: {
        authorization: {
          '@type': `/${authz}.GenericAuthorization`,
          msg: '/cosmos.bank.v1beta1.MsgSend',
        },
      },
    },
    [],
    'AUTHZ_GRANT',
    `Authorized ${toBob} to execute MsgSend`,
    { actor: alice.bech32, counterparty: bob.bech32 },
  ),
  ...Object.fromEntries(
    limits.map(([words, type, fields, expiration]) => [
      `authorization to ${words}`,
      row(
        `${authz}.MsgGrant`,
        {
          ...parties,
          grant: { authorization: { '@type': type, ...fields }, expiration: expiration ?? null },
        },
        [],
        'AUTHZ_GRANT',
        `Authorized ${toBob} to ${words}`,
        { actor: alice.bech32 },
      ),
    ]),
  ),
  'revoked authorization': row(
    `${authz}.MsgRevoke`,
    { ...parties, msg_type_url: '/cosmos.gov.v1.MsgVote' },
    [],
    'AUTHZ_REVOKE',
    `Revoked the authorization of ${toBob} to execute MsgVote`,
    { actor: alice.bech32, counterparty: bob.bech32 },
  ),
  'a message for another account': row(
    `${authz}.MsgExec`,
    { grantee: bob.bech32, msgs: [{ '@type': `/${staking}.MsgDelegate`, ...delegated }] },
    [],
    'STAKE',
    `Delegated 12 INIT to ${toValidator}, executed by ${toBob} for ${short(alice.bech32)}`,
    { actor: alice.bech32, executor: bob.bech32, messageIndex: 0 },
  ),
  'an empty execution': row(
    `${authz}.MsgExec`,
    { grantee: bob.bech32, msgs: [] },
    [],
    'AUTHZ_EXEC',
    'Executed 0 messages',
    { actor: bob.bech32 },
  ),
  'fee allowance': row(
    `${feegrant}.MsgGrantAllowance`,
    parties,
    [],
    'FEE_GRANT',
    `Granted a fee allowance to ${toBob}`,
    {
      actor: alice.bech32,
      counterparty: bob.bech32,
    },
  ),
  ...Object.fromEntries(
    allowances.map(([words, allowance]) => [
      `fee allowance${words}`,
      row(
        `${feegrant}.MsgGrantAllowance`,
        { ...parties, allowance },
        [],
        'FEE_GRANT',
        `Granted a fee allowance to ${toBob}${words}`,
        { actor: alice.bech32 },
      ),
    ]),
  ),
  'revoked fee allowance': row(
    `${feegrant}.MsgRevokeAllowance`,
    parties,
    [],
    'FEE_REVOKE',
    `Revoked the fee allowance of ${toBob}`,
    {
      actor: alice.bech32,
      counterparty: bob.bech32,
    },
  ),
  'oracle prices': row(
    'opinit.opchild.v1.MsgUpdateOracle',
    { sender: alice.bech32, height: '7', data: '' },
    [],
    'ORACLE_UPDATE',
    'Updated the prices of the oracle',
    { actor: alice.bech32 },
  ),
  'oracle markets': row(
    'connect.marketmap.v2.MsgUpsertMarkets',
    { authority: alice.bech32, markets: [] },
    [],
    'ORACLE_UPDATE',
    'Updated the markets of the oracle',
    { actor: alice.bech32 },
  ),
}
