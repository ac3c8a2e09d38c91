import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import { listenMetrics } from '../../http/metrics-server.ts'
import { buildServer } from '../../http/server.ts'
import type { Service } from '../../service.ts'
import { listeningPort } from '../../values/listening-port.ts'
import { codeOf } from '../../values/thrown.ts'
import { OperatorFault } from '../terminal/operator-fault.ts'

/** A port that is bound but not served yet. */
export type HeldPort = { port: number; release(): Promise<void> }

/**
 * Checks that the port is free before the first organisation is created: its key is shown only once, by a start that
 * serves. A port chosen by the system is held until then. Any other is released immediately, because clients may already
 * be waiting for it.
 */
export async function holdPort(config: Config): Promise<HeldPort> {
  const server = createServer((socket) => socket.destroy())
  server.listen({ host: config.host, port: config.port })
  await once(server, 'listening').catch((fault: unknown) => refuse(config, fault))
  const port = listeningPort(server)
  async function release(): Promise<void> {
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  if (config.port !== 0) await release()
  return { port, release }
}

export async function listen(config: Config, service: Service, held: HeldPort | undefined): Promise<FastifyInstance> {
  const app = await buildServer(service.http)
  const { host, port } = config
  try {
    await app.ready()
    await held?.release()
    await app.listen({ host, port })
    return app
  } catch (fault) {
    await app.close()
    return refuse(config, fault)
  }
}

function refuse({ host, port }: Config, fault: unknown): never {
  const code = codeOf(fault)
  if (code === 'EADDRINUSE')
    throw new OperatorFault(`Port ${port} on ${host} is taken; set PORT to another one.`, 'unavailable')
  if (code === 'EACCES')
    throw new OperatorFault(`Port ${port} on ${host} needs more rights; set PORT to another one.`, 'unavailable')
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    throw new OperatorFault(`HOST: there is no address for the name ${host}.`, 'unavailable')
  if (code === 'EADDRNOTAVAIL')
    throw new OperatorFault(`This machine has no address ${host}; set HOST to another one.`, 'unavailable')
  if (code !== undefined) {
    throw new OperatorFault(
      `Port ${port} on ${host} cannot be listened on (${code}); check HOST and PORT.`,
      'unavailable',
    )
  }
  throw fault
}

/** Figures on a port of their own, where one is set; also of processes that serve no customers. */
export async function listenFigures({ metrics }: Config, service: Service): Promise<Server | undefined> {
  const { host, port, token } = metrics
  if (port === undefined) return undefined
  try {
    return await listenMetrics(service.http, { host, port, token })
  } catch (fault) {
    const at = `${host}:${port}`
    throw new OperatorFault(`GANGAN_METRICS_PORT: ${at} cannot be listened on (${codeOf(fault)}).`, 'unavailable')
  }
}

/** Customers that speak SMPP come in where the others do: at processes that serve. */
export async function listenSmpp({ settings: { smpp_server } }: Config, service: Service): Promise<void> {
  try {
    await service.listenSmpp()
  } catch (fault) {
    const at = `${smpp_server?.host}:${smpp_server?.port}`
    const code = codeOf(fault)
    if (code === 'ENOENT')
      throw new OperatorFault('smpp_server.tls: the file of the key or of the certificate is not there.', 'unavailable')
    throw code === undefined
      ? fault
      : new OperatorFault(`smpp_server: ${at} cannot be listened on (${code}).`, 'unavailable')
  }
}
