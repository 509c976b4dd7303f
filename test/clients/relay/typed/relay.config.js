const { relayConfig } = require('@portolan/client/config')

module.exports = {
  ...relayConfig,
  src: '.',
  schema: '../../../../schema.graphql',
  language: 'typescript',
  eagerEsModules: true,
}
