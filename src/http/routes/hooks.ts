import { Type } from '../../values/schema/type.ts'
import { addHook, findHooks, removeHook } from '../../hooks/hooks.ts'
import { HookBody } from '../../hooks/schema.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { HooksAnswer, HookWithSecretAnswer } from '../schema.ts'

const tag = 'Hooks'
const NameParams = Type.Object({
  name: Type.String({ description: 'The name of the hook.', examples: ['supabase-4k1x8c0p2m9q7z5t'] }),
})

/** A hook sends for the organisation without a key: only a key with all scopes creates one. */
export function hookRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/hooks',
      operation: 'hooks.list',
      scope: 'all',
      summary: 'List hooks',
      description: 'Secrets are not returned.',
      tag,
      answer: HooksAnswer,
      errors: [],
      run: async ({ caller }) => ({ hooks: await findHooks(deps, caller.organisation_id) }),
    }),

    route({
      method: 'POST',
      path: '/hooks',
      operation: 'hooks.create',
      scope: 'all',
      summary: 'Create a hook',
      description:
        'For identity servers and others that post messages in a format of their own: `POST /hooks/{name}` accepts their requests, signed or authenticated with the secret of this answer, which is returned only once. One-time passwords have the priority, limits and guard of our own; the other side verifies them, and `POST /hooks/{name}/verified` with `{"to": …}` reports a success to the guard.',
      tag,
      body: HookBody,
      answer: HookWithSecretAnswer,
      errors: [400, 413, 415],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) => addHook(deps, caller.organisation_id, body, shape_faults),
    }),

    route({
      method: 'DELETE',
      path: '/hooks/:name',
      operation: 'hooks.delete',
      scope: 'all',
      summary: 'Delete a hook',
      description: 'Later requests to it are rejected.',
      tag,
      params: NameParams,
      errors: [404],
      run: ({ caller, params }) => removeHook(deps, caller.organisation_id, params.name),
    }),
  ]
}
