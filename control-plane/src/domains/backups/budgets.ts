import { defineBudgets } from '../../http/budgets.ts'

export const backupBudgets = defineBudgets({
  /** How often the host is notified, per node, that servers have no recent backup off it. */
  overdueBackups: { secondsEach: 86_400, burst: 1 },
})
