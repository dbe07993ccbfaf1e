import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { Journal } from './journal.ts'

/** The journal of the agent with this data folder. */
export const openJournal = (folder: string, clock: Clock, log: Logger): Journal =>
  new Journal({
    file: join(folder, 'journal.db'),
    nowMs: () => clock.nowMs(),
    setAside: (name) => log.error({ name }, 'the journal is damaged and was set aside'),
    unwritten: (error) => log.error({ err: error }, 'the journal cannot be written'),
  })
