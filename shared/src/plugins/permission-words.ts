import { ADMIN_PERMISSIONS } from '../permissions.ts'
import { apiPermissionOf } from './api.ts'
import { PLUGIN_EVENTS, type PluginEventType } from './event.ts'
import { pagesPermission } from './page.ts'
import type { PluginPermissionWords } from './plugin.ts'

/** What a permission of a plugin allows, in words for people. */
function wordsFor(permission: string): string {
  if (permission === 'billing.provider')
    return 'Take payments: it receives names and email addresses of customers, and what they pay'
  if (permission === 'billing.tax')
    return 'Calculate the tax of invoices: it receives what customers buy, where they are, and their tax numbers'
  if (permission === 'attachments.scan')
    return 'Read every file that people attach to messages, and keep others from downloading it'
  if (permission === 'notifications.format')
    return 'Read and word the notifications of people who chose its style for a channel'
  if (permission === 'nodes.fence')
    return 'Switch nodes off, and for that reach the hosts of LODGE_FENCE_HOSTS'
  if (permission === pagesPermission('customers'))
    return 'Add pages to the panel for customers: it learns who uses them, on which server and with which rights there'
  if (permission === pagesPermission('administrators'))
    return 'Add pages to the panel for administrators: it learns who uses them, and on which server'
  if (permission === 'storage')
    return 'Keep up to 10 MiB of its own data in the database of the panel'
  const forApi = apiPermissionOf(permission)
  if (forApi) return `Use the API with the permission: ${ADMIN_PERMISSIONS[forApi]}`
  const [area = '', ...rest] = permission.split(':')
  const what = rest.join(':')
  if (area === 'network') return `Send data to ${what} and receive data from it`
  const event = Object.hasOwn(PLUGIN_EVENTS, what) && PLUGIN_EVENTS[what as PluginEventType]
  return event ? `Be told: ${event}` : permission
}

/** Permissions with what they allow. */
export const inWords = (permissions: readonly string[]): PluginPermissionWords[] =>
  permissions.map((id) => ({ id, words: wordsFor(id) }))
