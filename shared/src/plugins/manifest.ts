import { z } from 'zod'
import { STYLED_KINDS } from '../notification-channels.ts'
import { apiPermissionOf, apiPermissionsOf } from './api.ts'
import { PLUGIN_EVENTS } from './event.ts'
import { packagePath } from './package-path.ts'
import { DeclaredPage, PAGE_AUDIENCES, pagesPermission } from './page.ts'
import { PAYMENT_ABILITIES } from './payment.ts'
import { SettingsForm } from './settings.ts'

/** The file of a package that describes it. */
export const MANIFEST_FILE = 'lodge-plugin.json'

export const PLUGIN_KINDS = [
  'payment',
  'tax',
  'event',
  'scanner',
  'notification-style',
  'fence',
  'page',
] as const
export const PluginKind = z.enum(PLUGIN_KINDS)
export type PluginKind = z.infer<typeof PluginKind>

/** Ids that are paths of the API beside the plugins. */
const RESERVED = ['host', 'inspect', 'store']
export const PluginId = z
  .string()
  .max(60)
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
  .refine((id) => !RESERVED.includes(id), 'is reserved')

export const PluginVersion = z
  .string()
  .max(40)
  .regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(-[a-z0-9.]{1,20})?$/)

/** `network:<host>` or `network:<host>:<port>`: exactly this host, never one below it. */
const NETWORK = /^network:([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9-]+(:\d{1,5})?$/
const EVENT = 'events.read:'
const isEvent = (text: string) =>
  text.startsWith(EVENT) && Object.hasOwn(PLUGIN_EVENTS, text.slice(EVENT.length))

/** Kinds that come with a permission, which only they have. */
const OF_KINDS: readonly (readonly [kind: PluginKind, permission: string])[] = [
  ['payment', 'billing.provider'],
  ['tax', 'billing.tax'],
  ['scanner', 'attachments.scan'],
  ['notification-style', 'notifications.format'],
  ['fence', 'nodes.fence'],
]

/** One for each audience of the pages of a plugin. */
const OF_PAGES: readonly string[] = PAGE_AUDIENCES.map(pagesPermission)

export const PluginPermission = z
  .string()
  .max(260)
  .refine(
    (text) =>
      OF_KINDS.some(([, permission]) => text === permission) ||
      OF_PAGES.includes(text) ||
      text === 'storage' ||
      NETWORK.test(text) ||
      apiPermissionOf(text) !== undefined ||
      isEvent(text),
    'is not a permission of plugins',
  )

/** Whether a plugin works with this Lodge: `^1.2`, `>=1.2.3` or `*`. */
const Range = z.string().regex(/^(\*|(\^|>=)\d{1,6}\.\d{1,6}(\.\d{1,6})?)$/)

export const PluginManifest = z
  .strictObject({
    schema: z.literal(1),
    id: PluginId,
    name: z.string().min(1).max(80),
    version: PluginVersion,
    publisher: z.string().min(1).max(80),
    description: z.string().max(500),
    license: z.string().min(1).max(60),
    homepage: z
      .url({ protocol: /^https$/ })
      .max(500)
      .optional(),
    engines: z.strictObject({ lodge: Range }),
    /** The module that the host loads. */
    main: packagePath('js', 'mjs', 'ts'),
    kinds: z.array(PluginKind).min(1).max(PLUGIN_KINDS.length),
    permissions: z.array(PluginPermission).max(60),
    /** The kinds of channels that a notification style is for. */
    channels: z.array(z.enum(STYLED_KINDS)).min(1).max(STYLED_KINDS.length).optional(),
    /** What a plugin of the kind `page` adds to the panel. */
    pages: z.array(DeclaredPage).min(1).max(8).optional(),
    /** Of the kind `payment`. */
    payment: z
      .strictObject({
        abilities: z.array(z.enum(PAYMENT_ABILITIES)).max(PAYMENT_ABILITIES.length),
        /** The setting by which customers know this way to pay, instead of the plugin's name. */
        nameSetting: z.string().max(40).optional(),
      })
      .optional(),
    settings: SettingsForm.default({ type: 'object', properties: {} }),
  })
  .superRefine(({ kinds, permissions, channels, pages, payment, settings }, { addIssue }) => {
    if (payment && !kinds.includes('payment'))
      addIssue({
        code: 'custom',
        path: ['payment'],
        message: 'must be there only if the kind is payment',
      })
    const { nameSetting, abilities = [] } = payment ?? {}
    if (abilities.includes('saveMethod') && !abilities.includes('autoCharge'))
      addIssue({
        code: 'custom',
        path: ['payment', 'abilities'],
        message: 'must have autoCharge with saveMethod: what is kept is charged later',
      })
    const named = nameSetting === undefined ? undefined : settings.properties[nameSetting]
    if (nameSetting !== undefined && (named?.type !== 'string' || named.secret))
      addIssue({
        code: 'custom',
        path: ['payment', 'nameSetting'],
        message: 'must be a text of the settings that is not secret',
      })
    for (const [kind, permission] of OF_KINDS)
      if (kinds.includes(kind) !== permissions.includes(permission))
        addIssue({
          code: 'custom',
          path: ['permissions'],
          message: `must contain ${permission} exactly if the kind is ${kind}`,
        })
    if (apiPermissionsOf(permissions).length > 0 && !kinds.includes('event'))
      addIssue({
        code: 'custom',
        path: ['permissions'],
        message: 'must contain api only if the kind is event',
      })
    const isStyle = kinds.includes('notification-style')
    if (isStyle !== (channels !== undefined))
      addIssue({
        code: 'custom',
        path: ['channels'],
        message: 'must be there exactly if the kind is notification-style',
      })
    if (kinds.includes('page') !== (pages !== undefined))
      addIssue({
        code: 'custom',
        path: ['pages'],
        message: 'must be there exactly if the kind is page',
      })
    const ids = pages?.map(({ id }) => id) ?? []
    if (new Set(ids).size < ids.length)
      addIssue({ code: 'custom', path: ['pages'], message: 'must have different ids' })
    for (const audience of PAGE_AUDIENCES) {
      const permission = pagesPermission(audience)
      const isTheirs = pages?.some((page) => page.audience === audience) ?? false
      if (isTheirs !== permissions.includes(permission))
        addIssue({
          code: 'custom',
          path: ['permissions'],
          message: `must contain ${permission} exactly if a page is for ${audience}`,
        })
    }
    // What people are told must not leave by another way than their channels.
    if (isStyle && hostsOf(permissions).length > 0)
      addIssue({
        code: 'custom',
        path: ['permissions'],
        message: 'must contain no network of a notification-style',
      })
  })
export type PluginManifest = z.infer<typeof PluginManifest>

const after = (permission: string, beginning: string) =>
  permission.startsWith(beginning) ? [permission.slice(beginning.length)] : []

/** The hosts that a plugin may call. */
export const hostsOf = (permissions: readonly string[]): string[] =>
  permissions.flatMap((one) => after(one, 'network:'))

/** The events that a plugin is told. */
export const eventsOf = (permissions: readonly string[]): string[] =>
  permissions.flatMap((one) => after(one, EVENT))

/** The permissions that an update asks for beyond those that were accepted. */
export const addedPermissions = (
  accepted: readonly string[],
  wanted: readonly string[],
): string[] => wanted.filter((one) => !accepted.includes(one))

const numbers = (version: string) => version.split(/[.-]/).slice(0, 3).map(Number)

/** Orders versions by their numbers; one with a suffix is before the same without. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [numbers(one), numbers(other)]
  const at = a.findIndex((part, index) => part !== (b[index] ?? 0))
  if (at >= 0) return (a[at] ?? 0) - (b[at] ?? 0)
  return Number(other.includes('-')) - Number(one.includes('-'))
}

/** Whether this version of Lodge is one that the plugin is made for. */
export function worksWith(range: string, version: string): boolean {
  if (range === '*') return true
  const wanted = numbers(range.replace(/^(\^|>=)/, ''))
  const least = [...wanted, 0, 0].slice(0, 3)
  if (compareVersions(version, least.join('.')) < 0) return false
  if (range.startsWith('>=')) return true
  // The first number that is not zero stays the same.
  const [major = 0, minor = 0] = numbers(version)
  return least[0] === major && (major > 0 || least[1] === minor)
}
