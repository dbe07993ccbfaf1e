import { z } from 'zod'

/** What was taken out of a text, and how often. */
export const REDACTION_RULES = [
  'secret_variable',
  'private_key',
  'header',
  'token',
  'key_or_password',
  'email',
  'public_address',
] as const
export type RedactionRule = (typeof REDACTION_RULES)[number]

/** Why the console is not among the diagnostics. */
export const CONSOLE_MISSING = ['no_permission', 'node_unavailable', 'no_output'] as const

const count = z.int().min(0)

/** What helps to find out what is wrong with a server, without what is secret. */
export const Diagnostics = z.object({
  takenAt: z.iso.datetime(),
  server: z.object({
    id: z.uuid(),
    name: z.string(),
    kind: z.string(),
    state: z.string(),
    since: z.string().nullable(),
    failure: z.string().nullable(),
    nodeName: z.string(),
    template: z.string().nullable(),
    templateVersion: z.int().nullable(),
    memoryMib: z.number(),
    cpuPercent: z.number(),
    diskMib: z.number(),
    holds: z.array(z.string()),
  }),
  ports: z.array(z.string()).describe('such as 25565/tcp'),
  variables: z.array(z.string()).describe('names; the values are left out'),
  events: z.array(z.string()).describe('the newest first'),
  jobs: z.array(z.string()).describe('the newest first'),
  console: z.array(z.string()).nullable(),
  consoleMissing: z.enum(CONSOLE_MISSING).nullable(),
  redacted: z
    .record(z.enum(REDACTION_RULES), count)
    .describe('how often each rule took out something'),
  text: z
    .string()
    .describe('all of it as a text to attach to a ticket, once its owner has read it'),
})
export type Diagnostics = z.infer<typeof Diagnostics>
