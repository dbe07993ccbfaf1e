import { CreateOwnServer, EditServer, Server } from '@lodge/shared/servers.ts'
import { InputKind } from '@lodge/shared/templates/rules/input-kind.ts'
import { z } from 'zod'
import { del, get, patch, post } from '../../../http/endpoint.ts'
import { LimitsView } from '../../limits/index.ts'
import { MachineOptions } from '../../virtualization/index.ts'
import { ownServer } from '../access/access.ts'
import { Created } from '../lifecycle/create.ts'
import * as own from '../lifecycle/self-service.ts'
import { editServer } from '../settings/resize.ts'

export const listCreationOptions = get('/api/me/servers/options', {
  summary: 'Templates, parts of machines, locations and limits for creating a server',
  access: { who: 'user' },
  reply: z.object({
    selfService: z.enum(['off', 'everyone', 'account_plans']),
    granted: z.boolean(),
    templates: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        description: z.string(),
        icon: z.string().nullable(),
        featured: z.boolean(),
        tags: z.array(z.string()),
        limits: z.object({
          memoryMb: z.int().nullable(),
          cpuPercent: z.int().nullable(),
          diskMb: z.int().nullable(),
        }),
        images: z.array(z.string()),
        /** Why its image may be unavailable now. */
        imageWarning: z.string().nullable(),
        variables: z.array(
          z.object({
            env: z.string(),
            name: z.string(),
            description: z.string(),
            default: z.string(),
            input: InputKind,
          }),
        ),
      }),
    ),
    machines: MachineOptions,
    locations: z.array(z.string()),
    limits: LimitsView,
  }),
  handle: ({ ctx }) => own.creationOptions(ctx),
})

export const createOwnServer = post('/api/me/servers', {
  summary: 'Create a server within own limits',
  access: { who: 'user' },
  body: CreateOwnServer,
  reply: Created,
  status: 202,
  recorded: { words: 'created {target}', makesServer: true },
  handle: ({ ctx, body }) => own.createOwnServer(ctx, body),
})

export const renameOwnServer = patch('/api/me/servers/{id}', {
  summary: 'Rename an own server',
  access: { who: 'user', own: true, on: ownServer },
  body: EditServer.pick({ name: true }).required(),
  reply: Server,
  recorded: 'renamed {target}',
  handle: ({ ctx, server, body }) => editServer(ctx, server.id, body),
})

export const deleteOwnServer = del('/api/me/servers/{id}', {
  summary: 'Delete an own server, with a cooling-off period',
  access: { who: 'user', own: true, on: ownServer, stepUp: true },
  reply: Server,
  recorded: 'scheduled the deletion of {target}',
  handle: ({ ctx, server }) => own.scheduleDeletion(ctx, server),
})

export const restoreOwnServer = post('/api/me/servers/{id}/restore', {
  summary: 'Undo a scheduled deletion',
  access: { who: 'user', own: true, on: ownServer },
  reply: Server,
  recorded: 'cancelled the deletion of {target}',
  handle: ({ ctx, server }) => own.restore(ctx, server),
})
