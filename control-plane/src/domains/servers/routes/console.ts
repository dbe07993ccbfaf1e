import { z } from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { server } from '../access/access.ts'
import { serverBudgets } from '../budgets.ts'
import * as terminal from '../console/console.ts'

export const createConsoleTicket = post('/api/servers/{id}/console-ticket', {
  summary: 'Single-use ticket for the console of a server',
  access: { who: 'user', on: server, may: 'console.read', throttle: serverBudgets.consoleTicket },
  body: z.strictObject({ kind: z.enum(['console', 'install_log']).default('console') }),
  reply: z.object({
    ticket: z.string(),
    url: z.string(),
    protocol: z.string(),
    expiresAt: z.iso.datetime(),
  }),
  status: 201,
  shownOnce: true,
  recorded: { words: 'opened the console of {target}', looks: true },
  handle: ({ ctx, server, body }) => terminal.createTicket(ctx, server, body.kind),
})

export const sendCommand = post('/api/servers/{id}/command', {
  summary: 'One line for the standard input of a server',
  access: { who: 'user', on: server, may: 'console.write' },
  waits: true,
  body: z.strictObject({
    command: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^[^\r\n\0]*$/, 'must be one line'),
  }),
  recorded: 'sent a command to {target}',
  handle: ({ ctx, server, body }) => terminal.sendCommand(ctx, server, body.command),
})

export const readLogs = get('/api/servers/{id}/logs', {
  summary: 'Newest lines of the present or last run, or of the installation',
  // Output may contain passwords and chat; administrators read it with `servers.console`.
  access: { who: 'user', on: server, may: 'console.read', hiddenFromViewers: true },
  query: z.object({
    lines: z.coerce.number().int().min(1).max(2000).default(500),
    source: z.enum(['run', 'install']).default('run'),
  }),
  reply: z.object({ lines: z.array(z.string()) }),
  handle: ({ ctx, server, query }) => terminal.readLogs(ctx, server, query.lines, query.source),
})
