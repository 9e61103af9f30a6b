import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { FastifyInstance } from 'fastify'
import { EnvError } from '@plumbline/platform/env'
import { silent } from '@plumbline/platform/log'
import { createStop } from '@plumbline/platform/stop'
import { auditRoutes } from './audit/audited'
import { measureRequests } from './http/measure'
import { openServer } from './http/server'
import { GatewayModule } from './gateway.module'
import { type GatewayOptions, settingsOf } from './gateway-options'
import { openPorts } from './open-ports'
import { mostStreams } from './settings'

export type Gateway = { url: string; close(): Promise<void> }

const listen = async (app: NestFastifyApplication, host: string, port: number): Promise<string> => {
  try {
    await app.listen(port, host)
  } catch (cause) {
    const taken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    throw taken
      ? new EnvError(
          `Port ${port} on ${host} is taken: stop the process that listens there, or set PORT to a free port.`,
          { cause },
        )
      : cause
  }
  const address = app.getHttpServer().address()
  const at = typeof address === 'object' && address ? address.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${at}`
}

export const createGateway = async (given: GatewayOptions): Promise<Gateway> => {
  const options = settingsOf(given)
  const { host, port, log = silent } = options
  const stop = createStop(log, 10_000)
  try {
    const ports = await openPorts(options, stop, log)
    const { callers, common } = ports
    const server = await openServer(callers, common.settings)
    const fastify = server.getInstance() as unknown as FastifyInstance
    auditRoutes(fastify, ports.keyPorts.audit, log)
    measureRequests(fastify, common.registry)
    const module = GatewayModule.with(ports, options.features, { retentionMs: options.retentionMs, stop })
    const app = await NestFactory.create<NestFastifyApplication>(module, server, {
      logger: false,
      bodyParser: false,
      abortOnError: false,
    })
    stop.add('server', () => app.close())
    const url = await listen(app, host, port)
    log.info({ url, mode: callers ? 'keys' : 'local', streams: mostStreams() }, 'gateway is listening')
    return { url, close: () => stop.run() }
  } catch (error) {
    await stop.run()
    throw error
  }
}
