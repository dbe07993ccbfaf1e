import type { TablePrivileges } from '../db/application-role.ts'

/** The audit log is append-only, except that a row's seal is set once (enforced by the trigger). */
export const auditPrivileges: readonly TablePrivileges[] = [
  { table: 'audit_log', may: ['select', 'insert'], sets: ['seal'] },
  { table: 'audit_seals', may: ['select', 'insert'] },
  { table: 'audit_anchor', may: ['select'] },
]
