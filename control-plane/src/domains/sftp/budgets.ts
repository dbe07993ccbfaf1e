import { defineBudgets } from '../../http/budgets.ts'

export const sftpBudgets = defineBudgets({
  /** What fails, by network: passwords are random, so this spares the machine rather than them. */
  sftpFailure: { secondsEach: 20, burst: 30 },
  /** One entry in the record for the many connections that a client opens. */
  sftpRecord: { secondsEach: 600, burst: 1 },
})
