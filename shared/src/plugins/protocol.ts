import { z } from 'zod'

// What the host and a plugin's process say to each other: a JSON document in each line.

/** The largest line that either side reads. */
export const MAX_LINE_BYTES = 2 * 1024 * 1024

const Id = z.int().min(1)
const Fault = z.object({
  /** Set if the plugin refuses; a fault of its own has none. */
  code: z.string().max(100).nullable(),
  message: z.string().max(2000),
})

/** What a plugin sends. */
export const FromPlugin = z.union([
  z.strictObject({ id: Id, call: z.string().max(100), given: z.unknown() }),
  z.strictObject({ id: Id, fault: Fault }),
  z.strictObject({ id: Id, result: z.unknown() }),
  z.strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error']),
    log: z.string().max(10_000),
  }),
])
export type FromPlugin = z.infer<typeof FromPlugin>
export type PluginFaultWords = z.infer<typeof Fault>

/** What a plugin may ask of the host. */
export const HOST_CALLS = {
  fetch: z.strictObject({
    url: z.string().max(4000),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    headers: z.record(z.string().max(100), z.string().max(8000)),
    body: z.string().max(1_000_000).optional(),
  }),
  /** A request to the API of the panel, with the permissions `api:<permission>`. */
  api: z.strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    /** With its query. */
    path: z
      .string()
      .max(2000)
      .regex(/^\/api\/[\x21-\x7e]*$/)
      .refine((path) => new URL(path, 'http://panel').pathname.startsWith('/api/')),
    body: z.unknown().optional(),
    /** Idempotency key: repeated with it, a request has one effect. */
    key: z
      .string()
      .regex(/^[\x21-\x7e]{1,150}$/)
      .optional(),
  }),
  /** Base64 of the next bytes from `at` on; nothing after the last. */
  'file.read': z.strictObject({
    file: z.uuid(),
    at: z
      .int()
      .min(0)
      .max(2 ** 31),
  }),
  'storage.get': z.strictObject({ key: z.string().min(1).max(200) }),
  'storage.set': z.strictObject({
    key: z.string().min(1).max(200),
    value: z.string().max(1_000_000),
  }),
  'storage.delete': z.strictObject({ key: z.string().min(1).max(200) }),
} as const
export type HostCall = keyof typeof HOST_CALLS

/** The first call, before any other. */
export interface PluginStart {
  readonly main: string
  readonly settings: Readonly<Record<string, string | number | boolean>>
  readonly lodgeVersion: string
}
