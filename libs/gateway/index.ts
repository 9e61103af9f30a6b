export { createGateway, type Gateway } from './create-gateway'
export type { GatewayOptions } from './gateway-options'
export { readGatewayEnv } from './gateway.env'
