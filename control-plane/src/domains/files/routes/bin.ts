import {
  BinDropped,
  BinPick,
  BinRestored,
  DeletedFiles,
  ListDeleted,
} from '@lodge/shared/deleted-files.ts'
import { get, post } from '../../../http/endpoint.ts'
import { server } from '../../servers/index.ts'
import * as bin from '../bin.ts'

const access = { who: 'user', on: server } as const

export const listDeletedFiles = get('/api/servers/{id}/files/bin', {
  summary: 'Deleted files that can be restored, newest first',
  access: { ...access, may: 'files.read' },
  query: ListDeleted,
  reply: DeletedFiles,
  waits: true,
  handle: ({ ctx, server, query, http }) => bin.list(ctx, server, query, http),
})

export const restoreDeletedFiles = post('/api/servers/{id}/files/bin/restore', {
  summary: 'Restore deleted files to where they were, beside what has their name now',
  access: { ...access, may: 'files.write' },
  body: BinPick,
  reply: BinRestored,
  waits: true,
  recorded: { words: 'restored {path} from the deleted files of {target}', repliesPaths: true },
  handle: ({ ctx, server, body, http }) => bin.restore({ ctx, server, http }, body),
})

export const deleteDeletedFiles = post('/api/servers/{id}/files/bin/delete', {
  summary: 'Delete files of the bin for good',
  access: { ...access, may: 'files.delete' },
  body: BinPick,
  reply: BinDropped,
  waits: true,
  recorded: { words: 'deleted {path} of {target} for good', repliesPaths: true },
  handle: ({ ctx, server, body, http }) => bin.drop({ ctx, server, http }, body),
})

export const emptyBin = post('/api/servers/{id}/files/bin/empty', {
  summary: 'Delete everything in the bin for good that the caller may delete',
  access: { ...access, may: 'files.delete' },
  reply: BinDropped,
  waits: true,
  recorded: 'emptied the deleted files of {target}',
  handle: ({ ctx, server, http }) => bin.empty({ ctx, server, http }),
})
