export { createGateway, type Gateway, type GatewayOptions } from './create-gateway'
