import { defineBudgets } from '../../http/budgets.ts'

export const supportBudgets = defineBudgets({
  /** Reading and searching the help center without an account. */
  publicHelp: { secondsEach: 1, burst: 60 },
  /** Its pages that are sent with content. */
  helpPage: { secondsEach: 0.5, burst: 120 },
  /** Reads and searches that are counted, limited so that nobody can distort the statistics. */
  helpCounted: { secondsEach: 20, burst: 60 },
  /** Reports of abuse, which anybody can send. */
  abuseReport: { secondsEach: 300, burst: 5 },
  /** Mails that confirm a report to one address, and to all of them: anybody can give any address. */
  abuseConfirmed: { secondsEach: 86_400, burst: 1 },
  abuseConfirmedAll: { secondsEach: 30, burst: 120 },
  /** Files for them: three for each. */
  abuseEvidence: { secondsEach: 100, burst: 15 },
  /** Queries of a report's status. */
  abuseStatus: { secondsEach: 5, burst: 30 },
  abuseAddition: { secondsEach: 60, burst: 10 },
  /** Mails that arrive from a bridge or another mail server. */
  inboundMail: { secondsEach: 0.5, burst: 240 },
  /** MiB of files that people without an account send by mail or with reports, all of them together. */
  strangersFiles: { secondsEach: 42, burst: 2048 },
  ticketOpened: { secondsEach: 60, burst: 20 },
  /** Replies and notes. */
  ticketMessage: { secondsEach: 3, burst: 60 },
})
