import { UploadState } from '@lodge/shared/files.ts'
import { del, get, options, patch, post } from '../../../http/endpoint.ts'
import { streamBody } from '../../../http/raw-body.ts'
import { server } from '../../servers/index.ts'
import { fileBudgets } from '../budgets.ts'
import { MAX_FILE_BYTES } from '../limits.ts'
import * as uploads from '../uploads.ts'

const access = { who: 'user', on: server, may: 'files.write', pieces: true } as const

export const describeUploads = options('/api/servers/{id}/files/uploads', {
  summary: 'Which parts of the tus protocol uploads speak',
  access,
  recorded: false,
  handle: async ({ http }) => uploads.describe(http),
})

export const startFileUpload = post('/api/servers/{id}/files/uploads', {
  summary:
    'Announce an upload (tus 1.0.0): `Upload-Length`, and in `Upload-Metadata` `path`, `modifiedAt` and `replace`',
  access: { ...access, throttle: fileBudgets.upload },
  status: 201,
  waits: true,
  recorded: false,
  handle: ({ ctx, server, http }) => uploads.start(ctx, server, http),
})

export const askFileUpload = get('/api/servers/{id}/files/uploads/{upload}', {
  summary: 'How much of an upload has arrived; HEAD as tus 1.0.0 asks for it',
  access,
  alsoHead: true,
  reply: UploadState,
  waits: true,
  handle: ({ ctx, server, params, http }) => uploads.state(ctx, server, params.upload, http),
})

export const sendFileUpload = patch('/api/servers/{id}/files/uploads/{upload}', {
  summary: 'The next part of an upload (tus 1.0.0)',
  access,
  body: streamBody({
    maxBytes: MAX_FILE_BYTES,
    contentTypes: ['application/offset+octet-stream'],
  }),
  recorded: false,
  handle: ({ ctx, server, params, body, http }) =>
    uploads.receive(ctx, server, params.upload, body, http),
})

export const cancelFileUpload = del('/api/servers/{id}/files/uploads/{upload}', {
  summary: 'Give up an upload, with what has arrived of it (tus 1.0.0)',
  access,
  waits: true,
  recorded: false,
  handle: ({ ctx, server, params, http }) => uploads.cancel(ctx, server, params.upload, http),
})
