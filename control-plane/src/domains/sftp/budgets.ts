import { defineBudgets } from '../../http/budgets.ts'

export const sftpBudgets = defineBudgets({
  /**
   * Failed sign-ins by network. Passwords are random, so this protects the machine rather than them.
   */
  sftpFailure: { secondsEach: 20, burst: 30 },
  /** One audit entry for the many connections that a client opens. */
  sftpRecord: { secondsEach: 600, burst: 1 },
})
