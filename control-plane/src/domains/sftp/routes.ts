import { AddSshKey, SftpAccess, SftpPassword, SshKey } from '@lodge/shared/sftp.ts'
import { z } from 'zod'
import { del, get, post } from '../../http/endpoint.ts'
import { server } from '../servers/index.ts'
import * as keys from './keys.ts'
import * as passwords from './passwords.ts'

const access = { who: 'user', on: server, may: 'files.sftp' } as const

export const listSshKeys = get('/api/account/ssh-keys', {
  summary: 'Own SSH keys',
  access: { who: 'user' },
  reply: z.object({ items: z.array(SshKey) }),
  handle: ({ ctx }) => keys.listKeys(ctx),
})

export const addSshKey = post('/api/account/ssh-keys', {
  summary: 'Add a public SSH key, which opens the files of the own servers by SFTP',
  access: { who: 'user', stepUp: true },
  body: AddSshKey,
  reply: SshKey,
  status: 201,
  recorded: 'added the SSH key {target}',
  handle: ({ ctx, body }) => keys.addKey(ctx, body),
})

export const removeSshKey = del('/api/account/ssh-keys/{id}', {
  summary: 'Remove an SSH key; connections made with it end',
  access: { who: 'user', own: true },
  recorded: 'removed an SSH key',
  handle: ({ ctx, params }) => keys.removeKey(ctx, params.id),
})

export const showSftp = get('/api/servers/{id}/sftp', {
  summary: 'How the caller reaches the files by SFTP: address, user name, host keys',
  access,
  reply: SftpAccess,
  handle: ({ ctx, server }) => passwords.describeAccess(ctx, server),
})

export const makeSftpPassword = post('/api/servers/{id}/sftp/password', {
  summary: 'Make a new SFTP password of the caller for this server; the one before ends',
  access,
  reply: SftpPassword,
  status: 201,
  shownOnce: true,
  recorded: 'made an SFTP password for {target}',
  handle: ({ ctx, server }) => passwords.makePassword(ctx, server),
})

export const removeSftpPassword = del('/api/servers/{id}/sftp/password', {
  summary: 'Remove the caller’s SFTP password for this server; connections made with it end',
  access,
  recorded: 'removed the SFTP password for {target}',
  handle: ({ ctx, server }) => passwords.removePassword(ctx, server),
})
