export { createGateway, type Gateway, type GatewayOptions } from './create-gateway'
export { readApiKeys } from './door/api-keys'
