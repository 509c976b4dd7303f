import type { ActionFamily } from '../family.ts'
import { fieldsOf, fieldText } from '../fields.ts'
import { says, withAddress } from '../sentence.ts'
import { allowedFees } from './limits.ts'

const grant = 'cosmos.feegrant.v1beta1.MsgGrantAllowance'

/** Allowances: one account pays the fees of another. */
export const feeGrant: ActionFamily = {
  types: [grant, 'cosmos.feegrant.v1beta1.MsgRevokeAllowance'],
  read: ({ type, message }) => {
    const counterparty = fieldText(message, 'grantee')
    const parties = { actor: fieldText(message, 'granter'), counterparty }
    if (type === grant) {
      const said = says(
        ['Granted', 'grant'],
        ' a fee allowance',
        withAddress('to', counterparty),
        allowedFees(fieldsOf(message.allowance)),
      )
      return { kind: 'FEE_GRANT', ...parties, says: said }
    }
    const said = says(['Revoked', 'revoke'], ' the fee allowance', withAddress('of', counterparty))
    return { kind: 'FEE_REVOKE', ...parties, says: said }
  },
}
