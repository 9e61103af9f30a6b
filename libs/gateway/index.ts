export { createGateway, type Gateway, type GatewayOptions } from './create-gateway'
export { readGatewayEnv } from './gateway.env'
