import { Readable } from 'node:stream'
import { MAX_MEDIA_BYTES } from '../../../media/kinds.ts'
import { findMediaFiles, openMedia, readMedia, removeMedia } from '../../../media/read.ts'
import { Media, MediaPage, MediaQuery, UploadQuery } from '../../../media/schema.ts'
import { uploadMedia } from '../../../media/upload.ts'
import { Type } from '../../../values/schema/type.ts'
import { undestroyed } from '../../body/read-bodies.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { IdParams } from '../../shapes.ts'

const tag = 'Media'

/** Its content type is that of the file. */
const File = Type.Unsafe<Readable>({
  content: { 'application/octet-stream': { schema: Type.Unsafe<Readable>({}) } },
})

export function mediaRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/media',
      operation: 'media.upload',
      scope: 'sms',
      summary: 'Upload a file',
      description:
        'A picture, video, recording or document for messages on WhatsApp, which name it by `id`. The body is the file and `Content-Type` its type, which its content must confirm (`application/octet-stream`: the content decides). JPEG and PNG up to 5 MB, MP4 and 3GP up to 16 MB, AAC, AMR, MP3, M4A and Ogg with Opus up to 16 MB, PDF, Office documents and text up to 100 MB, WebP as a sticker up to 100 KB, animated 500 KB.',
      tag,
      query: UploadQuery,
      body: File,
      takes_file: true,
      body_limit: MAX_MEDIA_BYTES,
      answer: Media,
      errors: [400, 409, 413, 415, 429],
      adds_faults: true,
      run: async ({ caller, query, body, headers, shape_faults }) => {
        const refusal = await deps.limits.takeUpload(caller, deps.media.uploads_per_s)
        const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
        const length = headers['content-length']
        const size = length === undefined ? undefined : Number(length)
        try {
          if (refusal) throw refusal
          return await uploadMedia(deps, caller, query, { content: undestroyed(body), type, size }, shape_faults)
        } finally {
          body.resume() // what is left of a refused file
        }
      },
    }),

    route({
      method: 'GET',
      path: '/media',
      operation: 'media.list',
      scope: 'sms',
      summary: 'List files',
      description: 'Newest first: those you uploaded, and those that people sent.',
      tag,
      query: MediaQuery,
      answer: MediaPage,
      errors: [400],
      compress: true,
      run: ({ caller, query }) => findMediaFiles(deps, caller, query),
    }),

    route({
      method: 'GET',
      path: '/media/:id',
      operation: 'media.get',
      scope: 'sms',
      summary: 'Read what a file is',
      description: 'Type, size, checksum and state.',
      tag,
      params: IdParams,
      answer: Media,
      errors: [404],
      run: ({ caller, params }) => readMedia(deps, caller, params.id),
    }),

    route({
      method: 'GET',
      path: '/media/:id/content',
      operation: 'media.content',
      scope: 'sms',
      summary: 'Download a file',
      description: 'A received file once it is `stored`.',
      tag,
      params: IdParams,
      download: true,
      errors: [404, 409],
      run: ({ caller, params }) => openMedia(deps, caller, params.id),
    }),

    route({
      method: 'DELETE',
      path: '/media/:id',
      operation: 'media.delete',
      scope: 'sms',
      summary: 'Delete a file',
      description:
        'Messages that wait to be sent with it are rejected and refunded. Meta deletes its copy within 30 days.',
      tag,
      params: IdParams,
      errors: [404],
      run: ({ caller, params }) => removeMedia(deps, caller, params.id),
    }),
  ]
}
