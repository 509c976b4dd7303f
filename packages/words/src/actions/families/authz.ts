import type { ActionFamily } from '../family.ts'
import { fieldsOf, fieldText } from '../fields.ts'
import { says, withAddress } from '../sentence.ts'
import { authorizedWork, typeName, until } from './limits.ts'

const grant = 'cosmos.authz.v1beta1.MsgGrant'

/** Authorizations to send messages for another account. The messages that use them are read elsewhere. */
export const authz: ActionFamily = {
  types: [grant, 'cosmos.authz.v1beta1.MsgRevoke'],
  read: ({ type, message }) => {
    const counterparty = fieldText(message, 'grantee')
    const parties = { actor: fieldText(message, 'granter'), counterparty }
    if (type === grant) {
      const { authorization, expiration } = fieldsOf(message.grant)
      return {
        kind: 'AUTHZ_GRANT',
        ...parties,
        says: says(
          ['Authorized', 'authorize'],
          withAddress('', counterparty),
          ' to ',
          authorizedWork(fieldsOf(authorization)),
          until(expiration),
        ),
      }
    }
    const messageType = fieldText(message, 'msg_type_url')
    return {
      kind: 'AUTHZ_REVOKE',
      ...parties,
      says: says(
        ['Revoked', 'revoke'],
        ' the authorization',
        withAddress('of', counterparty),
        messageType ? [' to execute ', typeName(messageType)] : [],
      ),
    }
  },
}
