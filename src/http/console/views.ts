import type { FastifyRequest } from 'fastify'
import { SavedView, SavedViewBody } from '../../users/schema.ts'
import { findViews, removeView, saveView } from '../../users/saved-views.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'
import { SavedViews } from './people/schema.ts'
import { chosenFor, type Visitor } from '../route/visitor.ts'

/** Saved views of the messages page. They belong to the user, so read-only roles have them too. */
export function viewRoutes(deps: HttpDeps): Route[] {
  const viewerOf = async (request: FastifyRequest & { visitor: Visitor }) => {
    const { organisation_id } = await chosenFor(deps, request, request.visitor)
    return { organisation_id, user_id: request.visitor.user_id }
  }
  return [
    route({
      method: 'GET',
      path: '/console/api/me/views',
      who: 'visitor',
      summary: 'List your saved views',
      answer: SavedViews,
      run: async (request) => ({ views: await findViews(deps, await viewerOf(request)) }),
    }),

    route({
      method: 'POST',
      path: '/console/api/me/views',
      who: 'visitor',
      summary: 'Create or replace a saved view',
      answer: SavedView,
      body: SavedViewBody,
      run: async (request) => saveView(deps, await viewerOf(request), request.body),
    }),

    route({
      method: 'DELETE',
      path: '/console/api/me/views/:id',
      who: 'visitor',
      summary: 'Delete a saved view',
      params: IdParams,
      run: async (request) => removeView(deps, await viewerOf(request), request.params.id),
    }),
  ]
}
