import { CrashPolicy, CrashState, PortMapping, PortProtocol } from '@lodge/shared/servers.ts'
import { InputKind } from '@lodge/shared/templates/rules/input-kind.ts'
import { z } from 'zod'
import { del, get, patch, post, put } from '../../../http/endpoint.ts'
import { Problem } from '../../../problem.ts'
import { server } from '../access/access.ts'
import { listPorts as ports } from '../port-store.ts'
import { addPort as add, describePort, removePort as remove } from '../ports/ports.ts'
import * as settings from '../settings/settings.ts'
import { crashState } from '../view/crash-state.ts'
import { guideOf } from '../view/guide.ts'

const CrashPolicyState = CrashPolicy.extend(CrashState.shape)

export const showCrashPolicy = get('/api/servers/{id}/crash-policy', {
  summary: 'Restart policy and state',
  access: { who: 'user', on: server, may: 'crash.view' },
  reply: CrashPolicyState,
  handle: async ({ ctx, server }) => {
    const policy = await settings.crashPolicy(ctx, server)
    return { ...policy, ...(await crashState(ctx, server, policy)) }
  },
})

export const setCrashPolicy = put('/api/servers/{id}/crash-policy', {
  summary: 'Set the restart policy',
  access: { who: 'user', on: server, may: 'crash.edit' },
  body: CrashPolicy,
  reply: CrashPolicy,
  recorded: 'changed the crash policy of {target}',
  handle: ({ ctx, server, body }) => settings.setCrashPolicy(ctx, server, body),
})

export const listPorts = get('/api/servers/{id}/ports', {
  summary: 'Port mappings',
  access: { who: 'user', on: server, may: 'ports.view' },
  reply: z.object({ items: z.array(PortMapping) }),
  handle: async ({ ctx, server }) => ({
    items: (await ports(ctx.db, server.id)).map(describePort),
  }),
})

export const addPort = post('/api/servers/{id}/ports', {
  summary: 'Add an extra port mapping',
  access: { who: 'user', on: server, may: 'ports.manage' },
  body: z.strictObject({
    container: z.int().min(1).max(65535),
    protocol: PortProtocol,
    label: z.string().trim().min(1).max(64).optional(),
  }),
  reply: PortMapping,
  status: 201,
  recorded: 'added a port to {target}',
  handle: ({ ctx, server, body }) => add(ctx, server, body),
})

export const removePort = del('/api/servers/{id}/ports/{offset}', {
  summary: 'Remove an extra port mapping',
  access: { who: 'user', on: server, may: 'ports.manage' },
  recorded: 'removed a port of {target}',
  handle: ({ ctx, server, params }) => {
    if (!/^\d{1,4}$/.test(params.offset)) throw new Problem('not_found', 'There is no such port')
    return remove(ctx, server, Number(params.offset))
  },
})

export const showGuide = get('/api/servers/{id}/guide', {
  summary: 'How to connect to a server, and the commands of its console',
  access: { who: 'user', on: server },
  reply: z.object({
    connection: z.array(z.string()),
    commands: z.array(z.object({ command: z.string(), description: z.string() })),
  }),
  handle: ({ ctx, server }) => guideOf(ctx, server),
})

const Startup = z.object({
  image: z.string(),
  images: z.array(z.string()),
  command: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
  variables: z.array(
    z.object({
      env: z.string(),
      name: z.string(),
      description: z.string(),
      value: z.string(),
      default: z.string(),
      editable: z.boolean(),
      secret: z.boolean(),
      input: InputKind,
    }),
  ),
  templateVersion: z.int(),
  restartRequired: z.boolean(),
})

export const showStartup = get('/api/servers/{id}/startup', {
  summary: 'Image, command and environment at start',
  access: { who: 'user', on: server, may: 'startup.view' },
  reply: Startup,
  handle: ({ ctx, server }) => settings.startup(ctx, server),
})

export const changeSettings = patch('/api/servers/{id}/settings', {
  summary: 'Change the image and variables an owner may edit',
  access: { who: 'user', on: server, may: 'startup.edit' },
  body: z.strictObject({
    variables: z.record(z.string().max(191), z.string().max(32_768)),
    image: z.string().max(255).optional(),
  }),
  reply: Startup,
  recorded: 'changed the startup of {target}',
  handle: ({ ctx, server, body }) => settings.changeStartup(ctx, server, body),
})
