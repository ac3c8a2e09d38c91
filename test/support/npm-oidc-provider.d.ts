/** npm `oidc-provider` has no types. These are the parts we use: an independent provider to test against. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type TheirGrant = { addOIDCScope(scope: string): void; save(): Promise<string> }
  type TheirContext = {
    oidc: {
      client: { clientId: string }
      session: { accountId: string }
      params: { scope: string }
      provider: Provider
    }
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    proxy: boolean
    Grant: new (of: { accountId: string; clientId: string }) => TheirGrant
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ prompt: { name: string }; params: Record<string, unknown> }>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    on(event: string, listener: (...given: unknown[]) => void): this
  }

  export type Context = TheirContext
}
