import { defineBudgets } from '../../http/budgets.ts'

export const backupBudgets = defineBudgets({
  /** How often the host is notified, per node, that servers have no recent backup off it. */
  overdueBackups: { secondsEach: 86_400, burst: 1 },
  /** How often one account has backups read back, which is work for nodes and storages. */
  verifyBackup: { secondsEach: 60, burst: 20 },
})
