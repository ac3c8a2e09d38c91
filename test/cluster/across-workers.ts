import { afterAll, beforeAll } from 'vitest'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { nodeOf, wiredDatabase, type WiredDatabase, type Worker } from './nodes.ts'

/** A service on a cluster of which one worker will be unreachable: organisations on it, and others. */
export type AcrossWorkers = {
  readonly database: WiredDatabase
  readonly service: TestService
  readonly worker: Worker
  readonly its: readonly Organisation[]
  readonly others: readonly Organisation[]
}

export function serviceAcrossWorkers(each: number): AcrossWorkers {
  let opened: AcrossWorkers | undefined
  beforeAll(async () => {
    const database = await wiredDatabase()
    const service = await openService({ beside: { database } })
    const [worker] = database.workers
    if (!worker) throw new Error('the cluster has no worker')
    const its: Organisation[] = []
    const others: Organisation[] = []
    while (its.length < each || others.length < each) {
      const organisation = await service.organisation()
      const list = (await nodeOf(service.db, organisation.id)) === worker.name ? its : others
      if (list.length < each) list.push(organisation)
    }
    opened = { database, service, worker, its, others }
  })
  afterAll(async () => {
    await opened?.service.close()
    await opened?.database.close()
  })
  const there = (): AcrossWorkers => {
    if (!opened) throw new Error('the cluster is not ready yet')
    return opened
  }
  return {
    get database() {
      return there().database
    },
    get service() {
      return there().service
    },
    get worker() {
      return there().worker
    },
    get its() {
      return there().its
    },
    get others() {
      return there().others
    },
  }
}

export async function isDelivered({ call }: Organisation, id: string): Promise<boolean> {
  const { body } = await call('GET', `/sms/${id}`)
  return JSON.stringify(body).includes('"delivered"')
}
