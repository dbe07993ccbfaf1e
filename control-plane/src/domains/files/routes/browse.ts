import { Entry, FileList, FileSpace, FileUsage } from '@lodge/shared/files.ts'
import {
  DownloadFiles,
  FileAt,
  FilesFound,
  ListFiles,
  ReadFile,
  SearchFiles,
  SpaceOf,
} from '@lodge/shared/server-files.ts'
import { get, post } from '../../../http/endpoint.ts'
import { server } from '../../servers/index.ts'
import * as browse from '../browse.ts'
import { fileBudgets } from '../budgets.ts'
import { downloadFiles, readFile } from '../read.ts'

const access = { who: 'user', on: server, may: 'files.read' } as const
const exported = { ...access, whileSuspended: 'data-export' } as const

export const listFiles = get('/api/servers/{id}/files', {
  summary: 'One page of a folder: folders first, then files, each by name',
  access: exported,
  query: ListFiles,
  reply: FileList,
  waits: true,
  handle: ({ ctx, server, query, http }) => browse.list(ctx, server, query, http),
})

export const showFile = get('/api/servers/{id}/files/stat', {
  summary: 'Size, time and permissions of a file or folder',
  access: exported,
  query: FileAt,
  reply: Entry,
  waits: true,
  handle: ({ ctx, server, query, http }) => browse.stat(ctx, server, query.path, http),
})

export const showFileUsage = get('/api/servers/{id}/files/usage', {
  summary: 'How much of its disk a server uses',
  access,
  reply: FileUsage,
  waits: true,
  handle: ({ ctx, server, http }) => browse.usage(ctx, server, http),
})

export const showFileSpace = get('/api/servers/{id}/files/space', {
  summary:
    'What takes the space of a folder: the largest of what is in it, and the largest files below',
  access: { ...access, throttle: fileBudgets.space },
  query: SpaceOf,
  reply: FileSpace,
  waits: true,
  handle: ({ ctx, server, query, http }) => browse.space(ctx, server, query, http),
})

export const searchFiles = post('/api/servers/{id}/files/search', {
  summary: 'Find files by name and content, for 30 seconds at most',
  access: { ...access, throttle: fileBudgets.search, pieces: true },
  body: SearchFiles,
  reply: FilesFound,
  waits: true,
  recorded: false,
  handle: ({ ctx, server, body, http }) => browse.search(ctx, server, body, http),
})

export const readServerFile = get('/api/servers/{id}/files/content', {
  summary: 'The content of a file, or a part of it by `Range`',
  access: { ...exported, hiddenFromViewers: true },
  query: ReadFile,
  streams: 'application/octet-stream',
  waits: true,
  handle: ({ ctx, server, query, http }) => readFile(ctx, server, query, http),
})

export const downloadServerFiles = get('/api/servers/{id}/files/download', {
  summary: 'Files and folders as one archive, written while it is sent',
  access: { ...exported, hiddenFromViewers: true, throttle: fileBudgets.download },
  query: DownloadFiles,
  streams: 'application/octet-stream',
  waits: true,
  handle: ({ ctx, server, query, http }) => downloadFiles(ctx, server, query, http),
})
