export { createGateway, type Gateway } from './create-gateway'
export { type GatewayOptions, readGatewayEnv } from './gateway-options'
