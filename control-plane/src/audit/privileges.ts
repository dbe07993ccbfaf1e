import type { TablePrivileges } from '../db/application-role.ts'

/** The record of changes is only ever added to; a row gets its seal once (see the trigger). */
export const auditPrivileges: readonly TablePrivileges[] = [
  { table: 'audit_log', may: ['select', 'insert'], sets: ['seal'] },
  { table: 'audit_seals', may: ['select', 'insert'] },
  { table: 'audit_anchor', may: ['select'] },
]
