import { CloneServer } from '@lodge/shared/clones.ts'
import { JobAccepted } from '@lodge/shared/jobs.ts'
import { z } from 'zod'
import { post } from '../../http/endpoint.ts'
import { server } from '../servers/index.ts'
import { clone } from './clone.ts'

export const cloneServer = post('/api/servers/{id}/clone', {
  summary: 'Make a new server with the settings of this one, and its files or those of a backup',
  access: { who: 'admin', may: 'servers.create', on: server },
  body: CloneServer,
  reply: JobAccepted.extend({ serverId: z.uuid(), warnings: z.array(z.string()) }),
  status: 202,
  recorded: 'cloned {target}',
  handle: ({ ctx, server, body }) => clone(ctx, server, body),
})
