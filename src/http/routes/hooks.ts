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
      description: 'With what each is for. Secrets are not shown.',
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
      summary: 'Make a hook',
      description:
        'For identity servers and others that hand over what is to be sent in a form of their own: `POST /hooks/{name}` takes their requests, signed or authenticated with the secret of this answer, which is shown this once. One-time passwords go with the priority, the limits and the guard of ours; verifying them stays with the other side, and `POST /hooks/{name}/verified` with `{"to": …}` tells the guard of a success.',
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
      description: 'What it asks for afterwards is refused.',
      tag,
      params: NameParams,
      errors: [404],
      run: ({ caller, params }) => removeHook(deps, caller.organisation_id, params.name),
    }),
  ]
}
