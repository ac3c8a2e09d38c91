import type { FastifyInstance } from 'fastify'
import type { HttpDeps } from './deps.ts'

export function contactImportRoutes(_app: FastifyInstance, _deps: HttpDeps): void {}
