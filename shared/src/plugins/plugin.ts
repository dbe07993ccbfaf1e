import { z } from 'zod'
import { PluginId, PluginKind, PluginVersion } from './manifest.ts'
import { SettingsForm, SettingValue, SettingValues } from './settings.ts'

export const PLUGIN_SOURCES = ['bundled', 'registry', 'upload'] as const
export const PluginSource = z.enum(PLUGIN_SOURCES)
export type PluginSource = z.infer<typeof PluginSource>

/**
 * Who vouches for a package: it came with Lodge; a key that the operator trusts signed it; another
 * key signed it; nobody did. A changed signed package is never installed.
 */
export const PLUGIN_SIGNATURES = ['bundled', 'verified', 'unknown', 'unsigned'] as const
export const PluginSignature = z.enum(PLUGIN_SIGNATURES)
export type PluginSignature = z.infer<typeof PluginSignature>

/** `starting`: on, but its process does not run at the moment on the instance that answers. */
export const PLUGIN_STATUSES = [
  'running',
  'starting',
  'disabled',
  'errored',
  'incompatible',
] as const
export const PluginStatus = z.enum(PLUGIN_STATUSES)
export type PluginStatus = z.infer<typeof PluginStatus>

const Permission = z.object({
  id: z.string(),
  /** What it allows, for people. */
  words: z.string(),
})
export type PluginPermissionWords = z.infer<typeof Permission>

const about = {
  id: PluginId,
  name: z.string(),
  version: PluginVersion,
  publisher: z.string(),
  description: z.string(),
  license: z.string(),
  homepage: z.string().nullable(),
  kinds: z.array(PluginKind),
}

export const Plugin = z.object({
  ...about,
  source: PluginSource,
  signature: PluginSignature,
  enabled: z.boolean(),
  status: PluginStatus,
  /** Why it was turned off by Lodge or does not run; null if all is well. */
  failure: z.string().nullable(),
  /** A newer version, which came with Lodge or is in the registry, and can be installed. */
  updateTo: PluginVersion.nullable(),
  installedAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Plugin = z.infer<typeof Plugin>

export const PluginDetail = Plugin.extend({
  permissions: z.array(Permission),
  /** The version to which a rollback returns. */
  previousVersion: PluginVersion.nullable(),
  /** An update that wants more permissions and waits until they are accepted. */
  held: z.object({ version: PluginVersion, addedPermissions: z.array(Permission) }).nullable(),
  form: SettingsForm,
  /** Without secrets. */
  settings: SettingValues,
  /** The secrets that have a value. */
  secretsSet: z.array(z.string()),
})
export type PluginDetail = z.infer<typeof PluginDetail>

/** 20 MiB in base64. */
const PACKAGE_CHARS = Math.ceil((20 * 1024 * 1024) / 3) * 4
const Package = z.base64().min(1).max(PACKAGE_CHARS)

/** Where a package comes from. `package` is the file itself, for `upload`; `id` is for the others. */
export const PluginOrigin = z.strictObject({
  source: PluginSource,
  id: PluginId.optional(),
  package: Package.optional(),
})
export type PluginOrigin = z.infer<typeof PluginOrigin>

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

export const InstallPlugin = PluginOrigin.extend({
  acceptPermissions: z.literal(true),
  /** Needed for a package that no trusted key signed. */
  acceptUnsigned: z.boolean().optional(),
  /** What was inspected; another package is refused. */
  sha256: Sha256.optional(),
})
export type InstallPlugin = z.infer<typeof InstallPlugin>

export const UpdatePlugin = z.strictObject({
  /** The file itself, for a plugin that was uploaded. */
  package: Package.optional(),
  acceptPermissions: z.literal(true).optional(),
  acceptUnsigned: z.boolean().optional(),
})
export type UpdatePlugin = z.infer<typeof UpdatePlugin>

export const EditPlugin = z.strictObject({ enabled: z.boolean() })

/** A secret that is left out keeps its value; null removes a value. */
export const SavePluginSettings = z.strictObject({
  settings: z.record(z.string().max(40), SettingValue.nullable()),
})
export type SavePluginSettings = z.infer<typeof SavePluginSettings>

export const PluginInspection = z.object({
  ...about,
  signature: PluginSignature,
  /** Fingerprint of the key that signed it. */
  signedBy: z.string().nullable(),
  sha256: Sha256,
  files: z.int(),
  sizeBytes: z.int(),
  permissions: z.array(Permission),
  /** Those that the installed version does not have. */
  addedPermissions: z.array(Permission),
  installedVersion: PluginVersion.nullable(),
  /** Why it cannot be installed here; null if it can. */
  obstacle: z.string().nullable(),
})
export type PluginInspection = z.infer<typeof PluginInspection>

export const StoreEntry = z.object({
  ...about,
  source: PluginSource,
  installedVersion: PluginVersion.nullable(),
})
export type StoreEntry = z.infer<typeof StoreEntry>

export const PluginStore = z.object({
  items: z.array(StoreEntry),
  registry: z.object({
    /** Null if none is configured. */
    address: z.string().nullable(),
    /** Why its plugins are missing. */
    failure: z.string().nullable(),
  }),
})
export type PluginStore = z.infer<typeof PluginStore>

export const PluginHealth = z.object({
  ok: z.boolean(),
  latencyMs: z.int(),
  message: z.string(),
})
export type PluginHealth = z.infer<typeof PluginHealth>

export const PLUGIN_LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export const PluginLogLevel = z.enum(PLUGIN_LOG_LEVELS)

export const PluginLogLine = z.object({
  /** Grows with time; the next page begins `after` it. */
  id: z.int(),
  at: z.iso.datetime(),
  level: PluginLogLevel,
  text: z.string(),
})
export type PluginLogLine = z.infer<typeof PluginLogLine>

export const PluginHost = z.object({
  lodgeVersion: z.string(),
  nodeVersion: z.string(),
  isolation: z.enum(['sandbox', 'none']),
  /** Why plugins cannot be isolated, so that none runs. */
  obstacle: z.string().nullable(),
  running: z.array(z.object({ id: PluginId, startedAt: z.iso.datetime() })),
  limits: z.object({
    memoryMb: z.int(),
    callSeconds: z.int(),
    paymentSeconds: z.int(),
    scanSeconds: z.int(),
    styleSeconds: z.int(),
    fenceSeconds: z.int(),
    packageMib: z.int(),
    storageMib: z.int(),
  }),
  registry: z.string().nullable(),
  trustedKeys: z.array(z.string()),
})
export type PluginHost = z.infer<typeof PluginHost>
