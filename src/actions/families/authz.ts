import type { Piece } from '../action.ts'
import type { ActionFamily } from '../family.ts'
import { type Fields, fieldsOf, fieldText } from '../fields.ts'
import { says, withAddress } from '../sentence.ts'

const grant = 'cosmos.authz.v1beta1.MsgGrant'

/** Authorizations to send messages for another account. The messages that use them are read elsewhere. */
export const authz: ActionFamily = {
  types: [grant, 'cosmos.authz.v1beta1.MsgRevoke'],
  read: ({ type, message }) => {
    const counterparty = fieldText(message, 'grantee')
    const parties = { actor: fieldText(message, 'granter'), counterparty }
    if (type === grant) {
      const authorization = fieldsOf(fieldsOf(message.grant).authorization)
      return {
        kind: 'AUTHZ_GRANT',
        ...parties,
        says: says(
          ['Authorized', 'authorize'],
          withAddress('', counterparty),
          ' to execute ',
          messagesOf(authorization),
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
        messageType ? [' to execute ', nameOf(messageType)] : [],
      ),
    }
  },
}

/** The message that an authorization allows. An authorization that is not generic allows one type, with limits. */
function messagesOf(authorization: Fields): readonly Piece[] {
  const type = fieldText(authorization, 'msg')
  if (type) return [nameOf(type)]
  const kind = fieldText(authorization, '@type')
  return kind ? ['messages under ', nameOf(kind)] : ['messages']
}

/** The last part of a type, such as `MsgSend`. */
const nameOf = (type: string): Piece => ({ id: type.split('.').at(-1) ?? type })
